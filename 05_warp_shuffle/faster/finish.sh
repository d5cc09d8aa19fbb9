#!/bin/sh
# SPDX-License-Identifier: MIT
#
# finish.sh - when each SM is done, if each reads an equal part of 2^26, 2^28 and 2^30 floats.
# Writes common/results/<gpu>/sm_finish.csv, a row for each SM.
set -eu
cd "$(dirname "$0")/../.."
folder=05_warp_shuffle/faster
sh common/measure/look.sh "$folder/finish.sh" "$folder/finish.cu" sm_finish
