#!/bin/sh
# SPDX-License-Identifier: MIT
#
# first_loads.sh - which bytes the first loads of a warp ask for: 04's `scalar`, and `blocked`.
# Prints what 04_vectorized/coalescing.csv holds, from which plot.py draws. Called by errata.sh,
# which compares the two. BUILD: the folder with the two programs, built for the cpu.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=$PWD/build/cpu}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '# command: sh common/pages/first_loads.sh, n = 2^21, warp 0 of block 0, in the emulator'
echo 'program,load,lane,byte'
for load in 'scalar 0' 'blocked 0' 'blocked 1'; do
    program=${load% *}
    SIMT_TRACE=$work/trace.csv "$BUILD/04_vectorized.$program" -t f32 -o sum -n 2M --check \
        >/dev/null
    awk -F, -v program="$program" -v load="${load#* }" '
        $3 == "global_ld" && $2 == 0 && $5 == 0 && first == "" { first = $6 }
        $3 == "global_ld" && $2 == 0 && $1 == load { print program "," load "," $5 "," $6 - first }
    ' "$work/trace.csv"
done
