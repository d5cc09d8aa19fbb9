#!/bin/sh
# SPDX-License-Identifier: MIT
#
# counters.sh - `make counters`: what Nsight Compute counts, to common/results/<gpu>/
#
#   counters.csv  the first pass of every lesson (f32 sum, 07: gelu; n = 2^26); those of the
#                 variants are in ablate.csv, see ablate.sh
#   course.csv    the first launches of small runs, under the emulator's names: what
#                 common/tests/course_counters.sh compares the emulator with
#   lines.csv     the first launches of lessons and variants that sum n = 65521 floats: what each
#                 source line costs, compared by the same test
#
# From make's environment: BUILD, DEVICE, STEPS, VARIANTS.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
ncu=${NCU:-ncu}
if [ "$DEVICE" != gpu ] || ! command -v "$ncu" >/dev/null; then
    echo "make counters needs a GPU and Nsight Compute ('$ncu')" >&2
    exit 77
fi

shared=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
shared=$shared,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
shared=$shared,smsp__sass_inst_executed_op_shared_ld.sum,smsp__sass_inst_executed_op_shared_st.sum
shared=$shared,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
global=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
global=$global,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
stores=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
stores=$stores,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
speed=smsp__inst_executed.sum,smsp__issue_active.avg.pct_of_peak_sustained_active
speed=$speed,sm__warps_active.avg.pct_of_peak_sustained_active
speed=$speed,dram__throughput.avg.pct_of_peak_sustained_elapsed,dram__bytes_read.sum
speed=$speed,smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
speed=$speed,smsp__sass_average_branch_targets_threads_uniform.pct

by_line=memory_l1_wavefronts_shared,memory_l2_theoretical_sectors_global

measured_by 'make counters'

# Runs a program under ncu, the first LAUNCHES of its launches; the rows go to $out.
profile() { # LAUNCHES METRICS PROGRAM OPTION...
    launches=$1 metrics=$2
    shift 2
    # --kill ends the program once its launches are counted, so its exit code means nothing.
    under_ncu "$metrics" --launch-count "$launches" --kill yes \
        --print-metric-instances details "$@" >"$BUILD/ncu.txt" 2>&1 || true
    if ! grep -q '^"0",' "$BUILD/ncu.txt"; then
        echo "ncu shows no launch of: $*" >&2
        cat "$BUILD/ncu.txt" >&2
        exit 1
    fi
    awk -v program="${1##*/}" -v run="$run" -f common/measure/counters.awk "$BUILD/ncu.txt" \
        >"$BUILD/ncu.csv"
    add_rows "$out" "$BUILD/ncu.csv"
}

begin() { # FILE COMMENT
    out=$BUILD/$1
    csv_head >"$out"
    printf '# cub: %s\n# %s\n' "$(cub_release "${NVCC:-nvcc}")" "$2" >>"$out"
}

# ---- large runs ----

begin counters.csv 'n: 67108864 f32, first kernel launch, ncu --clock-control none'
run=
count=0
# shellcheck disable=SC2086 # a list of names
total=$(echo $STEPS | wc -w)
for program in $STEPS; do
    count=$((count + 1))
    progress "$count" "$total" "$program"
    profile 1 "$speed,$global,$shared" \
        "$BUILD/$program" --check -n 64M -t f32 -o "$(main_op "$program")"
done
progress
record "$out"

# ---- small runs ----

# Four launches are two cases: two alignments of the input.
begin course.csv 'n: 65521, or 65535 = 257 x 255; the first 4 launches, ncu --clock-control none'
count=0
# shellcheck disable=SC2086 # a list of names
total=$(echo $STEPS $VARIANTS | wc -w)
for program in $STEPS $VARIANTS; do
    count=$((count + 1))
    progress "$count" "$total" "$program"
    if [ -n "$(left_out cpu "$(source_of "$program")")" ]; then continue; fi
    size=$(small_size "$program")
    case $size in --rows*) n=65535 ;; *) n=65521 ;; esac
    for pair in 'f32 sum' 'i32 max' 'f64 sum' 'f16 sum' 'f32 gelu' 'f16 gelu' 'f32 softmax'; do
        "$BUILD/$program" --list | grep -qx "$pair" || continue
        case $program:$pair in *.*:'i32 max') continue ;; esac # a variant: as f32 sum
        type=${pair% *} op=${pair#* } run=${pair% *},${pair#* },$n
        # shellcheck disable=SC2086 # one or two options and their values
        profile 4 "$global,$stores,$shared,sass__inst_executed_per_opcode" \
            "$BUILD/$program" --check $size -t "$type" -o "$op"
    done
done
progress
record "$out"

# ---- by source line ----

begin lines.csv 'n: 65521, or 65535 = 257 x 255, f32 sum; the first launch'
echo step,variant,access,cost,source >>"$out"
count=0
for program in $STEPS $VARIANTS; do
    count=$((count + 1))
    progress "$count" "$total" "$program"
    # 06 is code of CUB; in faster/ a line may wait, as often as it takes.
    case $(source_of "$program") in 06* | 07* | */faster/*) continue ;; esac
    "$BUILD/$program" --list | grep -qx 'f32 sum' || continue
    # shellcheck disable=SC2046 # one or two options and their values
    "$ncu" --clock-control none --csv --page source --print-source cuda,sass --import-source yes \
        --section SourceCounters --metrics "$by_line" --launch-count 1 --kill yes \
        "$BUILD/$program" --check $(small_size "$program") -t f32 -o sum >"$BUILD/ncu.txt" \
        2>&1 || true
    awk -v program="$program" -f common/measure/lines.awk "$BUILD/ncu.txt" >>"$out"
done
progress
record "$out"
