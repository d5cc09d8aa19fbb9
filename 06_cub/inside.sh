#!/bin/sh
# SPDX-License-Identifier: MIT
#
# inside.sh - what cub::DeviceReduce does for n = 1 to 2^28: launches, grids, blocks and scratch.
# Writes common/results/<gpu>/cub_inside.csv and prints it. Takes seconds: no kernel runs.
set -eu
cd "$(dirname "$0")/.."
. common/measure/results.sh
sh common/measure/look.sh 06_cub/inside.sh 06_cub/inside.cu cub_inside
csv_awk '
    function line(a, b, c, d, e, f, g, h, i) {
        printf "%-5s%-5s%10s%11s%9s%8s%8s%8s%8s\n", a, b, c, d, e, f, g, h, i
    }
    !shown++ {
        line("type", "op", "n", "temp_bytes", "launches", "grid_1", "block_1", "grid_2", "block_2")
    }
    {
        line(get("type"), get("op"), get("n"), get("temp_bytes"), get("launches"), get("grid_1"),
            get("block_1"), get("grid_2"), get("block_2"))
    }' "$(results_folder)/cub_inside.csv"
