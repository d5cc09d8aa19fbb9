#!/bin/sh
# SPDX-License-Identifier: MIT
#
# look.sh SCRIPT SOURCE NAME - builds SOURCE, a program that shows something about this GPU, runs it
# and writes what it prints to common/results/<gpu>/NAME.csv. SCRIPT, which calls this, is named in
# the head of the file.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
script=$1 source=$2 table=$3
nvcc=${NVCC:-nvcc}
if ! command -v "$nvcc" >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
    echo "$script needs a GPU and nvcc ('$nvcc')" >&2
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$nvcc" -std=c++20 -arch="${ARCH:-native}" -Icommon "$source" -o "$work/program"
measured_by "sh $script"
csv_head >"$work/$table.csv"
"$work/program" >>"$work/$table.csv"
record "$work/$table.csv"
