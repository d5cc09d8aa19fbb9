#!/bin/sh
# SPDX-License-Identifier: MIT
#
# counters.sh - `make counters`: what Nsight Compute counts in the first pass of every step and
# variant (f32 sum, 07: gelu; n = 2^26), to common/results/<gpu>/counters.csv.
# From make's environment: BUILD, DEVICE, STEPS, VARIANTS.
set -eu
cd "$(dirname "$0")/.."
ncu=${NCU:-ncu}
if [ "$DEVICE" != gpu ] || ! command -v "$ncu" >/dev/null; then
    echo "make counters needs a GPU and Nsight Compute ('$ncu')" >&2
    exit 77
fi
metrics=smsp__inst_executed.sum,smsp__issue_active.avg.pct_of_peak_sustained_active
metrics=$metrics,sm__warps_active.avg.pct_of_peak_sustained_active
metrics=$metrics,dram__throughput.avg.pct_of_peak_sustained_elapsed,dram__bytes_read.sum
metrics=$metrics,smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,smsp__sass_inst_executed_op_shared_ld.sum,smsp__sass_inst_executed_op_shared_st.sum
metrics=$metrics,memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal
metrics=$metrics,smsp__sass_average_branch_targets_threads_uniform.pct

folder=common/results/$(sh common/gpu_name.sh)
mkdir -p "$folder"
out=$BUILD/counters.csv
{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
        sed -n '1s/\(.*\), \(.*\)/# gpu: \1\n# driver: \2/p'
    echo "# date: $(date -u +%Y-%m-%d)"
    echo "# commit: ${COURSE_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
    echo '# command: make counters'
    echo '# n: 67108864 f32, first kernel launch, ncu --clock-control none'
    echo 'step,variant,kernel,grid,block,counter,value'
} >"$out"
for program in $STEPS $VARIANTS; do
    case $("$BUILD/$program" --list) in *gelu*) op=gelu ;; *) op=sum ;; esac
    "$ncu" --clock-control none --launch-count 1 --csv --print-units base --metrics "$metrics" \
        "$BUILD/$program" --check -n 64M -t f32 -o "$op" >"$BUILD/ncu.csv" 2>&1 || {
        cat "$BUILD/ncu.csv" >&2
        exit 1
    }
    awk -v program="$program" -f common/counters.awk "$BUILD/ncu.csv" >>"$out"
    if [ -t 2 ]; then printf '\r%-40s' "$program" >&2; fi
done
cp "$out" "$folder/counters.csv"
echo "wrote $folder/counters.csv: $(grep -vc -e '^#' -e '^step,' "$out") rows"
