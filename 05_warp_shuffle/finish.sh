#!/bin/sh
# SPDX-License-Identifier: MIT
#
# finish.sh - when each SM is done, if each reads an equal part of 2^26, 2^28 and 2^30 floats.
# Writes common/results/<gpu>/sm_finish.csv, a row for each SM.
set -eu
cd "$(dirname "$0")/.."
nvcc=${NVCC:-nvcc}
if ! command -v "$nvcc" >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "05_warp_shuffle/finish.sh needs a GPU and nvcc ('$nvcc')" >&2
    exit 77
fi
folder=common/results/$(sh common/gpu_name.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$nvcc" -std=c++20 -arch="${ARCH:-native}" -Icommon 05_warp_shuffle/finish.cu -o "$work/finish"
"$work/finish" >"$work/rows.csv"
mkdir -p "$folder"
{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader |
        sed -n '1s/\(.*\), \(.*\)/# gpu: \1\n# driver: \2/p'
    echo "# date: $(date -u +%Y-%m-%d)"
    echo "# commit: ${COURSE_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
    echo '# command: sh 05_warp_shuffle/finish.sh'
    cat "$work/rows.csv"
} >"$folder/sm_finish.csv"
echo "wrote $folder/sm_finish.csv: $(grep -c '^[0-9]' "$folder/sm_finish.csv") rows"
