#!/bin/sh
# SPDX-License-Identifier: MIT
#
# first_loads.sh - which bytes the first loads of a warp ask for: 04's `scalar`, and `blocked`.
# Prints what 04_vectorized/coalescing.csv holds, from which plot.py draws. Called by errata.sh,
# which compares the two. BUILD: the folder with the two programs, built for the cpu, and with what
# reads traces: `make trace-tools`.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=$PWD/build/cpu}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '# command: sh common/pages/first_loads.sh, n = 2^21, warp 0 of block 0, in the emulator'
echo 'program,load,lane,byte'
for load in 'scalar 0' 'blocked 0' 'blocked 1'; do
    program=${load% *}
    SIMT_TRACE=$work/trace "$BUILD/04_vectorized.$program" --once -t f32 -o sum -n 2M >/dev/null
    "$BUILD/pages/trace/report" --lanes "$work/trace" >"$work/lanes.csv"
    awk -v program="$program" -v load="${load#* }" "$(cat common/measure/columns.awk)"'
        csv && named && get("step") == load && get("kind") == "load" {
            print program "," load "," get("lane") "," get("offset")
        }' "$work/lanes.csv"
done
