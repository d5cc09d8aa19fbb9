#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gpu_name.sh - the GPU's name as a folder: "NVIDIA H200" gives h200, "NVIDIA GeForce RTX 4090"
# gives geforce_rtx_4090.
name=$(nvidia-smi --query-gpu=name --format=csv,noheader |
    sed -n '1s/^NVIDIA //p' | tr '[:upper:] ' '[:lower:]_' | tr -cd 'a-z0-9_')
if [ -z "$name" ]; then
    echo 'nvidia-smi names no GPU of NVIDIA' >&2
    exit 77
fi
echo "$name"
