#!/bin/sh
# SPDX-License-Identifier: MIT
#
# floor.sh - an empty kernel, the loads of best alone, and best, for 2^10 to 2^22 floats. Writes
# common/results/<gpu>/floor.csv, two rows for each size: cold and warm.
set -eu
cd "$(dirname "$0")/../.."
folder=05_warp_shuffle/faster
sh common/measure/look.sh "$folder/floor.sh" "$folder/floor.cu" floor
