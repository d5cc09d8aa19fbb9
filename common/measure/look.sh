#!/bin/sh
# SPDX-License-Identifier: MIT
#
# look.sh SCRIPT SOURCE NAME - builds SOURCE, a program that shows something about this GPU, runs it
# and writes what it prints to common/results/<gpu>/NAME.csv. SCRIPT, which calls this, is named in
# the head of the file. Needs no make.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
script=$1 source=$2 name=$3
nvcc=${NVCC:-nvcc}
if ! command -v "$nvcc" >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "$script needs a GPU and nvcc ('$nvcc')" >&2
    exit 77
fi
folder=$(results_folder)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$nvcc" -std=c++20 -arch="${ARCH:-native}" -Icommon "$source" -o "$work/program"
"$work/program" >"$work/rows.csv"
csv_head "sh $script" >"$work/$name.csv"
cat "$work/rows.csv" >>"$work/$name.csv"
cp "$work/$name.csv" "$folder/$name.csv"
echo "wrote $folder/$name.csv: $(sed '/^#/d' "$folder/$name.csv" | sed 1d | wc -l) rows"
