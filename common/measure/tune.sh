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
if [ "$DEVICE" != gpu ]; then
    echo "make tune needs a GPU and nvcc: the emulator has no notion of time ($DEVICE_WHY)" >&2
    exit 77
fi
faster=05_warp_shuffle/faster
folder=$(results_folder)
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
: >"$work/tune.csv"
while read -r name; do
    count=$((count + 1))
    if [ -t 2 ]; then printf '\r%3d of %d  %-40s' "$count" "$total" "$name" >&2; fi
    "$BUILD/copies/$name/05_warp_shuffle.$name" --csv -t f32 -o sum \
        -n 1K,4K,16K,64K,256K,1M,4M,16M,64M >"$work/rows.csv"
    if [ "$count" -eq 1 ]; then
        sed -n '/^#/p' "$work/rows.csv" | grep -v '^# command' >"$work/tune.csv"
        echo '# command: make tune; the variant is threads a block _ loads _ blocks an SM' \
            >>"$work/tune.csv"
        grep '^step,' "$work/rows.csv" >>"$work/tune.csv"
    fi
    grep -v -e '^#' -e '^step,' "$work/rows.csv" >>"$work/tune.csv"
done <"$work/settings"
if [ -t 2 ]; then printf '\r%60s\r' '' >&2; fi

cp "$work/tune.csv" "$folder/tune.csv"
awk -f common/measure/columns.awk -f common/measure/tune.awk "$folder/tune.csv" >"$work/tuned.h"
cp "$work/tuned.h" "$faster/tuned.h"
echo "wrote $folder/tune.csv and $faster/tuned.h:"
grep 'PLAN(' "$faster/tuned.h" | sed 1d
