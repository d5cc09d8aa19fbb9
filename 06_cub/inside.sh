#!/bin/sh
# SPDX-License-Identifier: MIT
#
# inside.sh - what cub::DeviceReduce does for n = 1 to 2^28: launches, grids, blocks and scratch.
# Writes common/results/<gpu>/cub_inside.csv. Takes seconds: no kernel runs.
set -eu
cd "$(dirname "$0")/.."
nvcc=${NVCC:-nvcc}
if ! command -v "$nvcc" >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "06_cub/inside.sh needs a GPU and nvcc ('$nvcc')" >&2
    exit 77
fi
folder=common/results/$(sh common/gpu_name.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$nvcc" -std=c++20 -arch="${ARCH:-native}" -Icommon 06_cub/inside.cu -o "$work/inside"
"$work/inside" >"$work/rows.csv"
mkdir -p "$folder"
{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
        sed -n '1s/\(.*\), \(.*\)/# gpu: \1\n# driver: \2/p'
    echo "# date: $(date -u +%Y-%m-%d)"
    echo "# commit: ${COURSE_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
    echo '# command: sh 06_cub/inside.sh'
    cat "$work/rows.csv"
} >"$folder/cub_inside.csv"
awk -F, '!/^#/ { printf "%-5s%-5s%10s%11s%9s%8s%8s%8s%8s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }' \
    "$folder/cub_inside.csv"
echo "wrote $folder/cub_inside.csv: $(grep -vc -e '^#' -e '^type,' "$folder/cub_inside.csv") rows"
