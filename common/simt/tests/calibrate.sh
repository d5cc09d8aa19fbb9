#!/bin/sh
# SPDX-License-Identifier: MIT
#
# calibrate.sh - runs in the emulator what was recorded under Nsight Compute on an H200, and
# compares every counter: the access patterns (calibrate/h200.csv), the kernels in several styles
# (styles.csv) and the atomics (atomics.csv).
# CXX chooses the compiler, SIMT_BUILD the built emulator. Last line: N passed, N failed.
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/tests/check.sh
here=$PWD/common/simt/tests
: "${CXX:=g++}" "${SIMT_BUILD:=$PWD/build/cpu/simt}"
export CXX SIMT_BUILD
work=$SIMT_BUILD/tests-$(basename "$CXX")
mkdir -p "$work"
calibrate=$here/../calibrate

# The program NAME.cu runs through and leaves $work/run.csv.
counted() { # NAME ARGUMENTS...
    program=$1
    shift
    rm -f "$work/run.csv"
    run "$here/../simtcc" "$calibrate/$program.cu" -o "$work/$program"
    want 'it does not compile' [ "$status" -eq 0 ]
    run env SIMT_COUNTERS="$work/run.csv" "$work/$program" "$@"
    want "exit $status, expected 0" [ "$status" -eq 0 ]
    want 'it has counted nothing' [ -s "$work/run.csv" ]
    cp "$tmp/out" "$work/$program.txt"
    [ -z "$why" ] || verdict "$program"
}

# Some patterns store different values to one address: what is counted, not what stays, matters.
# Three files: the patterns as generated here, their counters, and the recorded ones.
recorded=$calibrate/h200.csv
if (export SIMT_CHECK=0 && counted patterns 0 "$(grep -c '^[0-9]' "$recorded")" 1); then
    # shellcheck disable=SC2016 # awk's own $
    suite calibrate awk -F, '
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
' "$work/patterns.txt" "$work/run.csv" "$recorded"
fi

for name in styles atomics; do
    counted "$name" || continue
    sed -n "s/^[0-9]/$name,kernel,-,-,-,&/p" "$work/run.csv" >"$work/$name.csv"
    suite "$name" awk -F, -v name="$name" -f common/tests/course_counters.awk \
        "$calibrate/known_differences.txt" "$work/$name.csv" "$calibrate/$name.csv"
done
finish
