#!/bin/sh
# SPDX-License-Identifier: MIT
#
# calibrate.sh - runs in the emulator what was recorded under Nsight Compute on an H200, and
# compares every counter: the access patterns (calibrate/h200.csv), the kernels in several styles
# (styles.csv, structs.csv, together.csv) and the atomics (atomics.csv).
# clang compiles kernels without optimisation: it counts more, and all of this is left out.
#
# Group: simt
# Suite: calibrate
set -u

cd "$(dirname "$0")/../../.." || exit 1
. common/simt/tests/begin.sh
. common/measure/results.sh
work=$tmp
calibrate=common/simt/calibrate
if is_clang; then
    echo 'skip simt calibrate: clang counts more'
    exit 0
fi

# The program NAME.cu runs through and leaves $work/run.csv.
counted() { # NAME ARGUMENTS...
    program=$1
    shift
    rm -f "$work/run.csv"
    run env SIMT_COUNTERS="$work/run.csv" "$WORK/calibrate/$program" "$@"
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
    suite calibrate csv_awk '
    !csv { if (!/^#/) pattern[$1] = $0; next } # index,kernel,bytes,kind,active
    table == "run" { value[get("launch") - 1, get("counter")] = get("value"); next }
    {
        wrong = ""
        i = get("index") + 0
        this = i "," get("kernel") "," get("bytes") "," get("kind") "," get("active")
        if (pattern[i] != this) wrong = " is another pattern here: " pattern[i]
        for (name in col)
            if (name ~ /^(shared|global)_/ && value[i, name] "" != get(name) "")
                wrong = wrong " " name " " value[i, name] ", recorded " get(name) ";"
        patterns++
        if (wrong != "") { differences++; list = list "    pattern " this ":" wrong "\n" }
    }
    END {
        failed = differences || !patterns
        printf "%scalibrate: %d patterns, %d differences\n%s", (failed ? "FAIL " : "ok   "),
            patterns, differences, list
        exit failed
    }
' "$work/patterns.txt" "$work/run.csv" "$recorded"
fi

for name in styles structs together atomics; do
    [ -f "$calibrate/$name.csv" ] || continue # not recorded yet
    counted "$name" || continue
    : >"$work/$name.csv"
    add_rows "$work/$name.csv" "$work/run.csv" step,variant,type,op,n, "$name,kernel,-,-,-,"
    suite "$name" awk -v name="$name" -v recorded="$calibrate/$name.csv" \
        -f common/measure/columns.awk -f common/tests/course_counters.awk \
        "$calibrate/known_differences.txt" "$work/$name.csv" "$calibrate/$name.csv"
done
finish
