#!/bin/sh
# SPDX-License-Identifier: MIT
#
# memory.sh - how large each level of memory is, how many cycles a load takes there and how many
# bytes a second arrive. Writes common/results/<gpu>/memory.csv, a row for each level.
set -eu
cd "$(dirname "$0")/.."
sh common/measure/look.sh 04_vectorized/memory.sh 04_vectorized/memory.cu memory
