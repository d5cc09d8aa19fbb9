#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh - `make plot`: draws the figures from common/results/<gpu>, to that folder. GPU chooses
# it; without it h200, and then the figures of the lessons are drawn as well.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
results=$(recorded_results 'make plot')
python=$(sh common/pages/python.sh plot)
"$python" common/pages/plot.py "$results"
