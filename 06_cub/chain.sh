#!/bin/sh
# SPDX-License-Identifier: MIT
#
# chain.sh - builds and runs chain.cu, which shows the path from a CUB call to a kernel, and writes
# its output to common/results/<gpu>/cub_chain.txt. Takes seconds: no kernel runs. With the headers
# of a different CCCL: NVCC='nvcc -isystem FOLDER/include/cccl' sh 06_cub/chain.sh
set -eu
cd "$(dirname "$0")/.."
. common/measure/results.sh
nvcc=${NVCC:-nvcc}
if ! command -v "${nvcc%% *}" >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "06_cub/chain.sh needs a GPU and nvcc ('$nvcc')" >&2
    exit 77
fi
folder=$(results_folder)
measured_by 'sh 06_cub/chain.sh'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # nvcc and its options
$nvcc -std=c++20 -arch="${ARCH:-native}" -Icommon 06_cub/chain.cu -o "$work/chain"
{
    csv_head
    "$work/chain"
} >"$work/cub_chain.txt"
cp "$work/cub_chain.txt" "$folder/cub_chain.txt"
cat "$folder/cub_chain.txt"
