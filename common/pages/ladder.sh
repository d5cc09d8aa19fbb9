#!/bin/sh
# SPDX-License-Identifier: MIT
#
# ladder.sh - `make run`: checks every step, then shows the ladder. On a GPU it measures; on the
# cpu, where times are meaningless, it shows what was recorded on the GPU that GPU names, or an
# H200. From make's environment: BUILD, DEVICE, STEPS, OPTIONS.
set -u
cd "$(dirname "$0")/../.." || exit 1
. common/measure/results.sh
checks=$BUILD/checks.csv
times=$BUILD/times.csv
status=0
source=$times
if [ "$DEVICE" = cpu ]; then source=$(recorded_results 'make run')/ladder.csv || exit; fi

# --quick: a short list of sizes, each in every type and operator. `make test` takes the long one.
: >"$checks"
for step in $STEPS; do
    "$BUILD/$step" --check --quick --csv >"$BUILD/check.csv"
    case $? in
    0) verdict=ok ;;
    77) exit 77 ;; # no usable GPU: the program has said so, and no other would do better
    *)
        verdict=FAIL
        status=1
        ;;
    esac
    add_rows "$checks" "$BUILD/check.csv"
    csv_awk '{ cases += get("cases"); wrong += get("failed"); pairs++ }
        END { printf "%-4s %-20s %4d cases right, %d wrong; %d type-operator pairs\n",
                     verdict, step, cases - wrong, wrong, pairs }' \
        step="$step" verdict="$verdict" "$BUILD/check.csv"
done

# Runs a step with the options of make. OPTIONS is shell text: N=1M is `-n '1M'`. A program that
# exits with 2 does not take these options, and has said so.
answered=
run_step() { # STEP OPTIONS...
    # shellcheck disable=SC2034 # used by eval
    program=$BUILD/$1
    shift
    eval '"$program" "$@"' "$OPTIONS"
    case $? in
    0) answered=yes ;;
    2) status=1 ;;
    *) answered=yes status=1 ;;
    esac
}

# A list of types or operators as a regular expression.
wanted() { # f32,f64 or all or nothing
    case $1 in '' | all) echo '.*' ;; *) echo "$1" | tr , '|' ;; esac
}

# Does the step offer TYPE and OP? 07 has no sum and no i32, and 01 no gelu.
asked="${TYPE:-}${TYPE:+${OP:+ }}${OP:-}"
offered=
offers() { # STEP
    if "$BUILD/$1" --list | sed 1d |
        grep -qxE "($(wanted "${TYPE:-}")) ($(wanted "${OP:-}"))"; then
        offered=yes
        return
    fi
    echo "skip $1: it has no $asked"
    return 1
}

if [ "$DEVICE" = gpu ]; then
    : >"$times"
    for step in $STEPS; do
        case $OPTIONS in
        *-o*) op= ;;
        *) op="-o $(main_op "$step")" ;;
        esac
        offers "$step" || continue
        # shellcheck disable=SC2086 # op is an option and its value, or nothing
        run_step "$step" --csv -n 256M -t f32 $op >"$BUILD/rows.csv"
        add_rows "$times" "$BUILD/rows.csv"
    done
else
    if [ -n "$OPTIONS" ]; then
        for step in $STEPS; do
            if offers "$step"; then run_step "$step"; fi
        done
    else
        offered=yes answered=yes # nothing was requested
    fi
fi

if [ -z "$offered" ]; then
    echo "make run: no step has $asked; make run-01 ARGS=--list lists pairs" >&2
    exit 2
fi
if [ -z "$answered" ]; then exit 2; fi
if [ "$DEVICE" = cpu ] && [ -n "$OPTIONS" ]; then
    printf '\n%s\n' 'The tables below are always f32, sum or gelu: options do not change them.'
fi
if [ -f "$source" ]; then
    awk -v device="$DEVICE" -f common/measure/columns.awk -f common/pages/ladder.awk \
        "$checks" "$source"
else
    printf '\nNo times: there is no %s; that GPU writes it by make bench.\n' "$source"
fi
if [ "$DEVICE" = cpu ]; then
    sh common/pages/counter_ladder.sh || status=1
fi
exit "$status"
