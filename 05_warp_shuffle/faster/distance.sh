#!/bin/sh
# SPDX-License-Identifier: MIT
#
# distance.sh - how many cycles a word takes from one SM to another and back. Writes
# common/results/<gpu>/distance.csv, a row for each way.
set -eu
cd "$(dirname "$0")/../.."
folder=05_warp_shuffle/faster
sh common/measure/look.sh "$folder/distance.sh" "$folder/distance.cu" distance
