#!/bin/sh
# SPDX-License-Identifier: MIT
#
# styles.sh - runs calibrate/styles.cu and calibrate/atomics.cu in the emulator and compares its
# counters with those that Nsight Compute recorded (calibrate/styles.csv, calibrate/atomics.csv).
# CXX chooses the compiler, SIMT_BUILD the built emulator.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${CXX:=g++}" "${SIMT_BUILD:=$root/build/cpu/simt}"
export CXX SIMT_BUILD
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"
calibrate=$here/../calibrate

compare() { # NAME
    if ! "$here/../simtcc" "$calibrate/$1.cu" -o "$work/$1" ||
        ! SIMT_COUNTERS=$work/run.csv "$work/$1" || [ ! -s "$work/run.csv" ]; then
        echo "FAIL $1: $1.cu did not run through"
        return 1
    fi
    sed -n "s/^[0-9]/$1,kernel,-,-,-,&/p" "$work/run.csv" >"$work/$1.csv"
    awk -F, -v name="$1" -f "$root/common/tests/course_counters.awk" \
        "$calibrate/known_differences.txt" "$work/$1.csv" "$calibrate/$1.csv"
}

failed=0
compare styles || failed=1
compare atomics || failed=1
exit $failed
