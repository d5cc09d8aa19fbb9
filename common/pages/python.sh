#!/bin/sh
# SPDX-License-Identifier: MIT
#
# python.sh plot|site [--there] - prints a Python with what that goal of make needs. What is missing
# is set up in a virtual environment under build/, or under BUILD_DIR; with --there it exits 1.
set -eu
case $1 in
plot) # one version, so that the tests draw the very charts of the course
    modules='import matplotlib; assert matplotlib.__version__ == "3.10.9"'
    packages='matplotlib==3.10.9' debian=
    ;;
site)
    modules='import sphinx, myst_parser, furo, sphinx_copybutton; assert sphinx.version_info > (7,)'
    packages='sphinx>=7 myst-parser furo sphinx-copybutton'
    debian='python3-sphinx python3-myst-parser furo python3-sphinx-copybutton'
    ;;
esac
venv=${BUILD_DIR:-build}/venv
for python in "${PYTHON:-python3}" "$venv/bin/python"; do
    if "$python" -c "$modules" 2>/dev/null; then
        echo "$python"
        exit
    fi
done
if [ "${2:-}" = --there ]; then exit 1; fi

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
    echo "make $1: '$python' was not found; install it: sudo apt install python3" >&2
    exit 1
fi
echo "make $1: setting up $packages" >&2
echo "    in $venv" >&2
# shellcheck disable=SC2086 # a list of packages
"$python" -m venv "$venv" >&2 && "$venv/bin/python" -m pip install $packages |
    sed -n 's/^Collecting \([A-Za-z0-9_.-]*\).*/  PIP     \1/p' >&2
if ! "$venv/bin/python" -c "$modules" >&2; then
    echo "make $1: $packages could not be set up" >&2
    echo '    it needs the network, and venv: sudo apt install python3-venv' >&2
    [ -z "$debian" ] || echo "    or all of it installed: sudo apt install $debian" >&2
    exit 1
fi
echo "$venv/bin/python"
