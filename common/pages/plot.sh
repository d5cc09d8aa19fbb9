#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh [FOLDER] - `make plot`: draws the charts from common/results/<gpu>, to that folder. GPU
# chooses it; without it h200, and then the charts of the lessons are drawn as well. With FOLDER all
# go below it, as the tests compare them. Needs Python 3 and nothing more.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
results=$(recorded_results 'make plot')
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
    echo "make plot: '$python' was not found; install it: sudo apt install python3" >&2
    exit 1
fi
"$python" -B common/pages/plot.py "$results" "$@"
