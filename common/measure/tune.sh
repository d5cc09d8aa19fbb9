#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tune.sh - `make tune`: measures 05_warp_shuffle/faster/best.cu with every sensible number of
# threads, loads and blocks at nine sizes, keeps all times in common/results/<gpu>/tune.csv and
# writes the winners to 05_warp_shuffle/faster/tuned.h.
#
# usage: tune.sh copy       writes the settings; $BUILD/tune/programs names their programs
#        tune.sh measure    runs them, once make has built them
# From make's environment: BUILD, DEVICE.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
needs_gpu 'make tune'
faster=05_warp_shuffle/faster
work=$BUILD/tune
mkdir -p "$work"

# Each setting is a copy of best.cu beside a tuned.h of one line.
copy() {
    : >"$work/settings"
    : >"$work/programs"
    for block in 128 256 512 1024; do
        for loads in 1 2 4 8; do
            for per_sm in 1 2 4 8 16; do
                if [ $((block * per_sm)) -gt 2048 ] || [ $((block * loads)) -gt 4096 ]; then
                    continue
                fi
                name=${block}_${loads}_$per_sm
                copy=$BUILD/copies/$name
                mkdir -p "$copy"
                cmp -s "$faster/best.cu" "$copy/05_warp_shuffle.$name.cu" ||
                    cp "$faster/best.cu" "$copy/05_warp_shuffle.$name.cu"
                echo "#define TUNED(PLAN) PLAN(SIZE_MAX, $block, $loads, $per_sm)" \
                    >"$copy/tuned.h"
                echo "$name" >>"$work/settings"
                echo "$copy/05_warp_shuffle.$name" >>"$work/programs"
            done
        done
    done
}

if [ "$1" = copy ]; then
    copy
    exit 0
fi

total=$(wc -l <"$work/settings")
count=0
measured_by 'make tune; the variant is threads a block _ loads _ blocks an SM'
: >"$work/tune.csv"
while read -r name; do
    count=$((count + 1))
    progress "$count" "$total" "$name"
    "$BUILD/copies/$name/05_warp_shuffle.$name" --csv -t f32 -o sum \
        -n 1K,4K,16K,64K,256K,1M,4M,16M,64M >"$work/rows.csv"
    add_rows "$work/tune.csv" "$work/rows.csv"
done <"$work/settings"
progress

record "$work/tune.csv"
awk -f common/measure/columns.awk -f common/measure/tune.awk "$work/tune.csv" >"$work/tuned.h"
cp "$work/tuned.h" "$faster/tuned.h"
echo "wrote $faster/tuned.h:"
grep 'PLAN(' "$faster/tuned.h" | sed 1d
