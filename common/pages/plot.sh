#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh [FOLDER] - `make plot`: draws the charts from common/results/<gpu>, to that folder, and
# for the h200 those of the lessons as well. GPU chooses one; without it all are drawn. With FOLDER
# all go below it, as the tests compare them.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
python=$(sh common/pages/python.sh plot)
if [ -n "${GPU:-}" ]; then
    gpus=$(recorded_results 'make plot')
else
    gpus=$(echo common/results/*)
fi
for results in $gpus; do "$python" -B common/pages/plot.py "$results" "$@"; done
