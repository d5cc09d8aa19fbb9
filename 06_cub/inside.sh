#!/bin/sh
# SPDX-License-Identifier: MIT
#
# inside.sh - what cub::DeviceReduce does for n = 1 to 2^28: launches, grids, blocks and scratch.
# Writes common/results/<gpu>/cub_inside.csv and shows it. Takes seconds: no kernel runs.
set -eu
cd "$(dirname "$0")/.."
. common/measure/results.sh
sh common/measure/look.sh 06_cub/inside.sh 06_cub/inside.cu cub_inside
awk -F, '!/^#/ { printf "%-5s%-5s%10s%11s%9s%8s%8s%8s%8s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }' \
    "$(results_folder)/cub_inside.csv"
