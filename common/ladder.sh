#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ladder.sh - `make run`: checks every step, then shows the ladder. On a GPU it measures; on the
# cpu, where time means nothing, it shows what a recorded run on an H200 measured.
# From make's environment: BUILD, DEVICE, STEPS, OPTIONS.
set -u
cd "$(dirname "$0")/.." || exit 1
recorded=common/results/h200/ladder.csv
checks=$BUILD/checks.csv
times=$BUILD/times.csv
status=0

# --quick: a short list of sizes, each in every type and operator. `make test` takes the long one.
: >"$checks"
for step in $STEPS; do
    if "$BUILD/$step" --check --quick --csv >"$BUILD/check.csv"; then
        verdict=ok
    else
        verdict=FAIL
        status=1
    fi
    grep -v '^#' "$BUILD/check.csv" >>"$checks"
    grep -v '^#' "$BUILD/check.csv" | awk -F, -v step="$step" -v verdict="$verdict" '
        $1 == "step" { next }
        { cases += $5; wrong += $6; pairs++ }
        END { printf "%-4s %-22s %5d cases right, %d wrong, in %d pairs of type and operator\n",
                     verdict, step, cases - wrong, wrong, pairs }'
done

# shellcheck disable=SC2086 # OPTIONS is a list of words
if [ "$DEVICE" = gpu ]; then
    : >"$times"
    for step in $STEPS; do
        case $OPTIONS in
        *-o*) op= ;;
        *) case $("$BUILD/$step" --list) in *gelu*) op='-o gelu' ;; *) op='-o sum' ;; esac ;;
        esac
        "$BUILD/$step" --csv -n 256M -t f32 $op $OPTIONS >>"$times" || status=1
    done
    source=$times
else
    if [ -n "$OPTIONS" ]; then
        for step in $STEPS; do "$BUILD/$step" $OPTIONS || status=1; done
    fi
    source=$recorded
fi

if [ -f "$source" ]; then
    awk -f common/ladder.awk -v device="$DEVICE" "$checks" "$source"
fi
exit "$status"
