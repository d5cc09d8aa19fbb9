#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh - `make plot`: draws the figures from common/results/<gpu>, to that folder. GPU chooses
# it; without it h200, and then the figures of the lessons are drawn as well. Where Python has no
# matplotlib, it is set up in a virtual environment under build/, or under BUILD_DIR.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
results=$(recorded_results 'make plot')
python=${PYTHON:-python3}
venv=${BUILD_DIR:-build}/venv
if ! command -v "$python" >/dev/null; then
    echo "make plot: '$python' was not found; install Python 3: sudo apt install python3" >&2
    exit 1
fi
if ! "$python" -c 'import matplotlib' 2>/dev/null; then
    if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import matplotlib' 2>/dev/null; then
        echo "matplotlib was not found; setting it up in $venv" >&2
        if ! { "$python" -m venv "$venv" && "$venv/bin/pip" install -q matplotlib; } >&2; then
            rm -rf "$venv"
            echo 'make plot: matplotlib could not be set up; install it:' \
                'sudo apt install python3-matplotlib, or pip install matplotlib' >&2
            exit 1
        fi
    fi
    python=$venv/bin/python
fi
"$python" common/pages/plot.py "$results"
