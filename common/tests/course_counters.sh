#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: course_counters - runs every step and variant in the emulator as `make counters` ran them
# on a GPU, and compares each counter of each launch, and the cost of each source line of a first
# launch, with what Nsight Compute recorded in common/results/h100/course.csv and lines.csv. (Counts
# are those of any GPU of compute capability 9.0; only times differ on an H200.) The known
# differences, each with its reason, are in common/simt/calibrate/known_differences.txt. BUILD: the
# folder with the programs built for the cpu. Without FULL=1 the variants are left out.
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=$PWD/build/cpu}" "${CXX:=c++}"
recorded=common/results/h100/course.csv
lines=common/results/h100/lines.csv
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
    ends 0 env SIMT_COUNTERS="$tmp/run.csv" "$BUILD/$program" --check -t "$type" -o "$op" $size
    if [ -n "$why" ]; then
        verdict "course counters: $program -n $n -t $type -o $op"
        finish
    fi
    add_rows "$here" "$tmp/run.csv" step,variant,type,op,n, "$step,$variant,$type,$op,$n,"
done <"$tmp/runs"

suite 'course counters' awk -v name='course counters' -v recorded="$recorded" \
    -v kernels="$kernels" -f common/measure/columns.awk -f common/tests/course_counters.awk \
    "$known" "$here" "$recorded"

# ---- by source line ----

for program in $(csv_awk 'kernels == 0 || get("variant") == "kernel" {
        print get("step") (get("variant") == "kernel" ? "" : "." get("variant")) }' \
    kernels="$kernels" "$lines" | uniq); do
    case $program in *.*) variant=${program#*.} ;; *) variant=kernel ;; esac
    # shellcheck disable=SC2046 # one or two options and their values
    run env SIMT_REPORT=source:1 "$BUILD/$program" --check $(small_size "$program") -t f32 -o sum
    awk -v program="$program" -f common/measure/lines.awk "$tmp/out" >"$tmp/lines"
    want 'nothing was counted' [ -s "$tmp/lines" ]
    # Both differ where a known difference is named, and nowhere else.
    grep "^${program%%.*},$variant," "$lines" | sort - "$tmp/lines" | uniq -u >"$tmp/differ"
    known_here=$(sed -n "s/^lines $program \([a-z]* [a-z]*\) .*/\1/p" "$known" | sort)
    want "known to differ: '$known_here'; these do: $(cat "$tmp/differ")" \
        [ "$(cut -d, -f3 "$tmp/differ" | sort -u)" = "$known_here" ]
    verdict "by source line: $program"
done
finish
