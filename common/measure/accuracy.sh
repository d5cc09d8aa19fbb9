#!/bin/sh
# SPDX-License-Identifier: MIT
#
# accuracy.sh - `make accuracy`: how far off the f32 sum of each step and variant is, on three kinds
# of data, and whether its bits are the same every run. `make accuracy-05` takes one step. A step
# with its own accuracy.sh runs that as well.
#
# On a GPU: 100 runs of 2^20, 2^24 and 2^26 elements; if all steps run, the rows go to
# common/results/<gpu>/accuracy.csv. On the cpu: 10 runs of 2^16.
#
# usage: accuracy.sh [STEP...]    such as 05_warp_shuffle. From make's environment: BUILD, DEVICE,
# STEPS, and PROGRAMS, those of these steps that reduce a vector.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
if [ "$DEVICE" = gpu ]; then
    sizes='2^20 2^24 2^26' runs=100
else
    sizes='2^16' runs=10
fi
asked=${*:-$STEPS}
rows=$BUILD/accuracy.csv

# Fills $rows. The host makes the data and its exact sum, which takes longer than all the runs:
# several programs at once.
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
measure() {
    : >"$rows"
    if [ "$DEVICE" = gpu ]; then
        measured_by 'make accuracy'
        csv_head >"$rows"
        echo "# cub: $(cub_release "${NVCC:-nvcc}")" >>"$rows"
    fi
    for n in $sizes; do
        "$BUILD/accuracy/${PROGRAMS##* }" host "$n" >"$BUILD/accuracy/host.csv" # any of them can
        # shellcheck disable=SC2086 # a list of words
        printf '%s\n' $PROGRAMS | awk '{ print NR, $0 }' | xargs -P "$cores" -n 2 sh -c '
            . common/measure/results.sh
            progress "$5" "$4" "$6, n = $2"
            "$1/accuracy/$6" "$2" "$3" >"$1/accuracy/$6.csv" 2>"$1/accuracy/$6.err" || status=$?
            if [ -s "$1/accuracy/$6.err" ]; then progress; cat "$1/accuracy/$6.err" >&2; fi
            exit "${status:-0}"' sh "$BUILD" "$n" "$runs" "$(echo $PROGRAMS | wc -w)"
        for program in host $PROGRAMS; do add_rows "$rows" "$BUILD/accuracy/$program.csv"; done
    done
}

if [ -n "$PROGRAMS" ]; then
    measure
    # shellcheck disable=SC2119 # without arguments it wipes its line
    progress
    awk -f common/measure/columns.awk -f common/measure/accuracy.awk "$rows"
    if [ "$DEVICE" = gpu ] && [ $# -eq 0 ]; then record "$rows"; fi
fi
for step in $asked; do
    if [ -f "$step/accuracy.sh" ]; then sh "$step/accuracy.sh"; fi
done
