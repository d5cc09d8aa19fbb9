#!/bin/sh
# SPDX-License-Identifier: MIT
#
# many.sh - times the programs of this folder on all GPUs of this machine, and one GPU beside them:
# common/results/<gpu>/many_gpus.csv. A row is a sum, its join alone, or the call of a join by the
# host; `gpu1` is the second GPU alone, because the slowest one counts. NVLink's multicast is left
# off, because most machines lack it.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
: "${NCCL_NVLS_ENABLE:=0}"
export NCCL_NVLS_ENABLE
gpus=$(nvidia-smi -L 2>/dev/null | grep -c GPU || true)
if [ "$gpus" -lt 2 ]; then
    echo '06_cub/many_gpus/many.sh needs two GPUs or more, and nvcc' >&2
    exit 77
fi
"${MAKE:-make}" --no-print-directory -f 06_cub/many_gpus/many.mk programs >&2
measured_by "NCCL_NVLS_ENABLE=$NCCL_NVLS_ENABLE sh 06_cub/many_gpus/many.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

out=$work/many_gpus.csv
programs=build/gpu/many/05_warp_shuffle.best

# run PROGRAM OPTIONS...: adds its rows to $out. Both time one GPU; its rows are needed once.
run() {
    program=$1
    shift
    "$programs/$program" --csv "$@" >"$work/all.csv"
    awk -v program="$program" '!/^#/ && !(program == "peer" && /^one,/)' "$work/all.csv" \
        >"$work/rows.csv"
    add_rows "$out" "$work/rows.csv"
}
sizes=64K,256K,1M,2M,4M,8M,16M,32M,64M,128M,256M,512M,1G,2G,4G,8G
csv_head >"$out"
for program in sum peer; do # what each reports about itself
    "$programs/$program" --csv -n 0 -t f32 -o sum >"$work/all.csv"
    sed -n '/^#/p' "$work/all.csv" >>"$out"
done
for program in sum peer; do
    run "$program" -n "$sizes" -t f32 -o sum
    run "$program" -n 256M -t f32 -o max,min
    run "$program" -n 256M -t f64,i32 -o sum,max,min
done
gpu=1
while [ "$gpu" -lt "$gpus" ]; do
    CUDA_VISIBLE_DEVICES=$gpu "$programs/peer" --csv -n 4G -t f32 -o sum >"$work/all.csv"
    sed -n "s/^one,/gpu$gpu,/p" "$work/all.csv" >>"$out"
    gpu=$((gpu + 1))
done
record "$out"
