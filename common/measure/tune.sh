#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tune.sh - `make tune`: measures 05_warp_shuffle/faster/best.cu with every sensible number of
# threads, loads and blocks at eight or nine sizes, keeps all times in common/results/<gpu>/tune.csv
# (sums of f32) and tune_f64.csv (maxima of f64, whose operations are the longest), and writes the
# winners to 05_warp_shuffle/faster/tuned.h. `make tune TYPE=f64` measures only that type.
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
                for table in TUNED TUNED_F64; do
                    echo "#define $table(PLAN) PLAN(SIZE_MAX, $block, $loads, $per_sm)"
                done >"$copy/tuned.h"
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

case ${TYPE:-f32} in
f32 | f64) ;;
*)
    echo "make tune: TYPE='$TYPE' has no table; accepted are f32, f64, or no TYPE for both" >&2
    exit 2
    ;;
esac

measure() { # TYPE OPERATOR NAME SIZES
    total=$(wc -l <"$work/settings")
    count=0
    : >"$work/$3.csv"
    while read -r name; do
        count=$((count + 1))
        progress "$count" "$total" "$1 $name"
        "$BUILD/copies/$name/05_warp_shuffle.$name" --csv -t "$1" -o "$2" \
            -n "$4" >"$work/rows.csv"
        add_rows "$work/$3.csv" "$work/rows.csv"
    done <"$work/settings"
    progress
    record "$work/$3.csv"
}

measured_by "make tune${TYPE:+ TYPE=$TYPE}; the variant is threads a block _ loads _ blocks an SM"
sizes=1K,4K,16K,64K,256K,1M,4M,16M
if [ "${TYPE:-f32}" = f32 ]; then measure f32 sum tune $sizes,64M; fi
if [ "${TYPE:-f64}" = f64 ]; then measure f64 max tune_f64 $sizes; fi

folder=$(results_folder)
awk -f common/measure/columns.awk -f common/measure/tune.awk \
    "$folder/tune.csv" "$folder/tune_f64.csv" >"$work/tuned.h"
cp "$work/tuned.h" "$faster/tuned.h"
echo "wrote $faster/tuned.h:"
grep 'PLAN(' "$faster/tuned.h" | sed 1d
