#!/bin/sh
# SPDX-License-Identifier: MIT
#
# calibrate.sh - runs the recorded access patterns in the emulator and compares every counter with
# what Nsight Compute counted on an H200 (calibrate/h200.csv).
# CXX chooses the compiler, SIMT_BUILD the built emulator.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${CXX:=g++}" "${SIMT_BUILD:=$root/build/cpu/simt}"
export CXX SIMT_BUILD
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"
recorded=$here/../calibrate/h200.csv

"$here/../simtcc" "$here/../calibrate/patterns.cu" -o "$work/patterns"
count=$(grep -c '^[0-9]' "$recorded")
# Some patterns store different values to one address: what is counted, not what stays, matters.
if ! SIMT_CHECK=0 SIMT_COUNTERS=$work/patterns.csv "$work/patterns" 0 "$count" 1 \
    >"$work/patterns.txt"; then
    echo 'FAIL calibrate: patterns.cu did not run through'
    exit 1
fi

# Three files: the patterns as generated here, their counters, and the recorded ones.
awk -F, '
    FNR == 1 { file++ }
    /^#/ || /^launch,/ { next }
    file == 1 { pattern[$1] = $0; next }
    file == 2 { value[$1 - 1, $5] = $6; next }
    $1 == "index" { for (i = 6; i <= NF; i++) counter[i] = $i; last = NF; next }
    {
        wrong = ""
        head = $1 "," $2 "," $3 "," $4 "," $5
        if (pattern[$1] != head) wrong = " is another pattern here: " pattern[$1]
        for (i = 6; i <= last; i++)
            if (value[$1, counter[i]] "" != $i "")
                wrong = wrong " " counter[i] " " value[$1, counter[i]] ", recorded " $i ";"
        patterns++
        if (wrong != "") { differences++; list = list "    pattern " head ":" wrong "\n" }
    }
    END {
        printf "%scalibrate: %d patterns, %d differences\n%s",
            differences || !patterns ? "FAIL " : "ok   ", patterns, differences, list
        exit differences || !patterns
    }
' "$work/patterns.txt" "$work/patterns.csv" "$recorded"
