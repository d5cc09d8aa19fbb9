#!/bin/sh
# SPDX-License-Identifier: MIT
#
# record.sh - on a machine with a GPU, nvcc and Nsight Compute: what ncu counts for random questions
# of the quiz, COUNT of each level (default 70), to stdout.
#
#   sh common/quiz/record.sh >common/quiz/recorded_h200.csv
#
# common/tests/quiz.sh compares the emulator with it. NVCC, NCU and ARCH choose the tools.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
here=common/quiz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

metrics=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,smsp__sass_inst_executed_op_shared_ld.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
# The stores of `lanes` have 4 bytes each.
bytes=smsp__sass_data_bytes_mem_global_op_st.sum
metrics=$metrics,$bytes,sass__inst_executed_per_opcode

"${NVCC:-nvcc}" -arch="${ARCH:-native}" -std=c++20 -Icommon -c "$here/pattern.cu" \
    -o "$work/pattern.o" >&2
"${NVCC:-nvcc}" -arch="${ARCH:-native}" -Icommon "$here"/*.c common/simt/driver/text.c \
    "$work/pattern.o" -o "$work/quiz" >&2
for level in 1 2 3; do
    "$work/quiz" --list --seed 1 --level "$level" --count "${COUNT:-70}"
done >"$work/questions"
"$work/quiz" --run <"$work/questions" >"$work/asked"

# shellcheck disable=SC2016 # the inner shell expands it
under_ncu "$metrics" --print-metric-instances details \
    sh -c '"$1/quiz" --run <"$1/questions"' sh "$work" >"$work/ncu.txt" || {
    cat "$work/ncu.txt" >&2
    exit 1
}
awk -v program=quiz -v run=-,-,- -f common/measure/counters.awk "$work/ncu.txt" >"$work/counts.csv"
# The same with the names of Nsight Compute, for the counter that the emulator has no name for.
awk -v program=quiz -f common/measure/counters.awk "$work/ncu.txt" |
    awk -F, -v bytes="$bytes" '$6 == bytes { print ++launch "," $7 / 4 }' >"$work/lanes"

measured_by "sh $here/record.sh"
csv_head
csv_awk '
    BEGIN { OFS = FS = "," }
    FILENAME ~ /lanes$/ { value[$1, "memory_lanes"] = $2; next }
    FILENAME ~ /asked$/ {
        if (!asked++) print "question,counter,value"
        print $1, $2, ((asked, $2) in value) ? value[asked, $2] : "not counted"
        next
    }
    { value[get("launch"), get("counter")] = get("value") }' \
    "$work/lanes" "$work/counts.csv" "$work/asked"
