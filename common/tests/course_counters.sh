#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: course_counters - runs every step and variant in the emulator as `make counters` ran them
# on a GPU, and compares each counter of each launch with what Nsight Compute recorded in
# common/results/h200/course.csv. The known differences, each with its reason, are in
# common/simt/calibrate/known_differences.txt. BUILD: the folder with the programs built for the
# cpu. Without FULL=1 the variants are left out.
# Where: cpu
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=$PWD/build/cpu}" "${CXX:=c++}"
recorded=common/results/h200/course.csv
known=common/simt/calibrate/known_differences.txt

if [ ! -f "$recorded" ]; then
    echo "skip course counters: there is no $recorded"
    exit 0
fi
if "$CXX" --version | grep -q clang; then # it compiles kernels without optimisation
    echo 'skip course counters: clang loads and stores more than a GPU does'
    exit 0
fi

. common/tests/check.sh
. common/measure/results.sh
here=$tmp/here.csv

kernels=1
if [ -n "${FULL:-}" ]; then kernels=0; fi

# One run for each step, variant, type, operator and size that is recorded.
csv_awk 'kernels == 0 || get("variant") == "kernel" {
    one = get("step") " " get("variant") " " get("type") " " get("op") " " get("n")
    if (!seen[one]++) print one
}' kernels="$kernels" "$recorded" >"$tmp/runs"
while read -r step variant type op n; do
    program=$step
    [ "$variant" = kernel ] || program=$step.$variant
    case $("$BUILD/$program" --help) in
    *--rows*) size="--rows $((n / 255)) --cols 255" ;;
    *) size="-n $n" ;;
    esac
    # shellcheck disable=SC2086 # one or two options and their values
    run env SIMT_COUNTERS="$tmp/run.csv" "$BUILD/$program" --check -t "$type" -o "$op" $size
    want "exit $status" [ "$status" -eq 0 ]
    if [ -n "$why" ]; then
        verdict "course counters: $program -n $n -t $type -o $op"
        finish
    fi
    add_rows "$here" "$tmp/run.csv" step,variant,type,op,n, "$step,$variant,$type,$op,$n,"
done <"$tmp/runs"

suite 'course counters' awk -v name='course counters' -v recorded="$recorded" \
    -v kernels="$kernels" -f common/measure/columns.awk -f common/tests/course_counters.awk \
    "$known" "$here" "$recorded"
finish
