#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh - `make plot`: draws the figures of common/results/<gpu>, to that folder, and for the h200
# those of the lessons as well. GPU chooses one; without it all are drawn.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
if [ -n "${GPU:-}" ]; then
    set -- "$(recorded_results 'make plot')"
else
    set -- common/results/*
fi
python=$(sh common/pages/python.sh plot)
for results in "$@"; do "$python" common/pages/plot.py "$results"; done
