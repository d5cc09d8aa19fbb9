#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh [FOLDER] - `make plot`: draws the charts from common/results/<gpu>, to that folder. GPU
# chooses one; without it it is the h200, whose charts the pages show, and those of the lessons are
# drawn as well. With FOLDER all go below it, as the tests compare them.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
python=$(sh common/pages/python.sh plot)
results=common/results/h200
[ -z "${GPU:-}" ] || results=$(recorded_results 'make plot')
"$python" -B common/pages/plot.py "${results%/}" "$@"
