#!/bin/sh
# SPDX-License-Identifier: MIT
#
# counter_ladder.sh - the climb in counters: what each step asks of the machine for 1,024 elements,
# counted in the emulator (f32 sum, n = 2^16, all passes). `make run DEVICE=cpu` ends with it.
# The emulator has a stand-in for CUB, so the counts of 06 would not be those of CUB.
# From make's environment: BUILD, STEPS.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
n=65536
counted=$BUILD/counter_ladder.csv

: >"$counted"
for step in $STEPS; do
    case $step in *_cub*) continue ;; esac
    "$BUILD/$step" --list | grep -qx 'f32 sum' || continue
    SIMT_COUNTERS=$BUILD/run.csv "$BUILD/$step" --once -n "$n" -t f32 -o sum >"$BUILD/run.txt"
    add_rows "$counted" "$BUILD/run.csv" step, "$step,"
done
awk -v n="$n" -f common/measure/columns.awk -f common/pages/counter_ladder.awk "$counted"
