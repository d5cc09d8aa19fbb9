#!/bin/sh
# SPDX-License-Identifier: MIT
#
# styles.sh - runs calibrate/styles.cu in the emulator and compares its counters with those that
# Nsight Compute recorded (calibrate/styles.csv).
# CXX chooses the compiler, SIMT_BUILD the built emulator.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${CXX:=g++}" "${SIMT_BUILD:=$root/build/cpu/simt}"
export CXX SIMT_BUILD
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"
calibrate=$here/../calibrate

"$here/../simtcc" "$calibrate/styles.cu" -o "$work/styles"
if ! SIMT_COUNTERS=$work/run.csv "$work/styles" || [ ! -s "$work/run.csv" ]; then
    echo 'FAIL styles: styles.cu did not run through'
    exit 1
fi
if [ ! -f "$calibrate/styles.csv" ]; then
    echo 'ok   styles: not compared, there is no calibrate/styles.csv'
    exit 0
fi
sed -n 's/^[0-9]/styles,kernel,-,-,-,&/p' "$work/run.csv" >"$work/styles.csv"
awk -F, -v name=styles -f "$root/common/tests/course_counters.awk" \
    "$calibrate/known_differences.txt" "$work/styles.csv" "$calibrate/styles.csv"
