#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench.sh - `make bench`: measures on this GPU, in one run under the same rules,
#
#   common/results/<gpu>/ladder.csv   the seven lessons, over sizes, types and operators
#   common/results/<gpu>/peers.csv    the fastest kernels of the course beside CUB and cuBLAS:
#                                     sums over sizes, rows over shapes, elementwise over sizes
#   common/results/<gpu>/warm.csv     sums and rows beside CUB with the input in L2: --warm
#   common/results/<gpu>/columns.csv  sums of columns, in the shapes of columns_pytorch.csv
#   common/results/<gpu>/softmax.csv  softmax_best over the length of a row
#   common/results/<gpu>/lone.csv     the fastest sum and CUB's between other kernels, called by the
#                                     host, and in sequence
#
# Each row begins with the release of CUB; CCCL=DIR takes its headers from there.
# STEP=05 measures the programs of one step and prints them instead; the variants' turn comes with
# `make ablate`. From make's environment: BUILD, DEVICE, STEPS, NEEDING.
set -eu
cd "$(dirname "$0")/../.."
. common/measure/results.sh
needs_gpu 'make bench'
measured_by 'make bench'

# Should the program be measured, and can it be built? While $total is 0 this only counts.
turn() { # PROGRAM TEXT
    case $1 in "${STEP:-}"*) ;; *) return 1 ;; esac
    case " ${NEEDING:-} " in *" $1 "*) return 1 ;; esac # `make build` has said what it needs
    count=$((count + 1))
    if [ "$total" -eq 0 ]; then return 1; fi
    progress "$count" "$total" "$2"
}

add() { add_rows "$out" "$BUILD/rows.csv" cub, "$cub,"; }
cub=$(cub_release "${NVCC:-nvcc}")

run() { # PROGRAM OPTIONS...: adds the rows of one program to $out
    turn "$1" "$*" || return 0
    program=$1
    shift
    "$BUILD/$program" --csv "$@" >"$BUILD/rows.csv"
    add
}

sizes=1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G
row_lengths='32 64 128 512 1024 2048 4096 16384 65536 1048576 16777216 268435456'
lessons() {
    # shellcheck disable=SC2153 # STEPS comes from make; STEP is the one that was asked for
    for step in $STEPS; do
        case $("$BUILD/$step" --list) in
        *gelu*)
            run "$step" -n "$sizes" -t f32,f16 -o gelu
            run "$step" -n 256M -t f32,f16 -o relu,mul,fma,cast
            ;;
        *)
            run "$step" -n "$sizes" -t f32 -o sum
            run "$step" -n 256M -t f32 -o max,min
            run "$step" -n 256M -t f64,i32 -o sum,max,min
            ;;
        esac
    done
}

peers() {
    # sums: the fastest of ours and its parts, CUB, cuBLAS
    all=$sizes,4G,8G
    run 06_cub -n "$all" -t f32 -o sum
    run 06_cub.not_guaranteed -n "$sizes" -t f32 -o sum
    run 05_warp_shuffle.best -n "$all" -t f32 -o sum
    run 05_warp_shuffle.mailbox -n "$all" -t f32 -o sum
    run 05_warp_shuffle.one_pass -n "$sizes" -t f32 -o sum
    run 05_warp_shuffle.grid_sync -n "$sizes" -t f32 -o sum
    run 05_warp_shuffle.single_block -n 1K,4K,16K,64K -t f32 -o sum
    run 05_warp_shuffle.cluster -n 4K,16K,64K,256K -t f32 -o sum
    run 05_warp_shuffle.bulk_copy -n 16M,64M,256M,1G,4G,8G -t f32 -o sum
    run 06_cub.cublas -n "$sizes" -t f32 -o sum
    # every pair of a type and an operator that both offer
    for sum in 05_warp_shuffle.best 06_cub; do
        run "$sum" -n "$sizes" -t f32 -o max,min
        run "$sum" -n "$sizes" -t f64,i32 -o sum,max,min
    done
    for sum in 05_warp_shuffle.best 06_cub.half_precision; do
        run "$sum" -n 16K,1M,256M -t f16 -o sum,max
    done
    # rows: 2^28 elements in shapes from tall to wide
    for cols in $row_lengths; do
        rows=$((268435456 / cols))
        run 05_warp_shuffle.row_best --rows $rows --cols "$cols" -t f32,f64,f16 -o sum
        run 06_cub.segmented --rows $rows --cols "$cols" -t f32,f64 -o sum
        run 06_cub.segments_of_one_size --rows $rows --cols "$cols" -t f32,f64 -o sum
    done
    # elementwise
    for map in 07_elementwise.best 06_cub.transform; do
        run "$map" -n 1M,4M,16M,64M,256M,1G -t f32,f16 -o gelu,relu,add,mul,fma,cast
    done
    cublas_asum
}

# What fits L2 in all types.
warm() {
    for sum in 05_warp_shuffle.best 06_cub; do
        run "$sum" --warm -n 1K,4K,16K,64K,256K,1M,4M -t f32,f64,i32 -o sum,max,min
    done
    for cols in $row_lengths; do
        if [ "$cols" -gt 1048576 ]; then break; fi
        rows=$((1048576 / cols))
        run 05_warp_shuffle.row_best --warm --rows $rows --cols "$cols" -t f32,f64,f16 -o sum
        run 06_cub.segmented --warm --rows $rows --cols "$cols" -t f32,f64 -o sum
        run 06_cub.segments_of_one_size --warm --rows $rows --cols "$cols" -t f32,f64 -o sum
    done
}

# 2^28 elements, in rows from 512 bytes to 4 MB of f32.
softmax() {
    cols=128
    while [ "$cols" -le 1048576 ]; do
        run 05_warp_shuffle.softmax_best --rows $((268435456 / cols)) --cols "$cols" -t f32,f16
        cols=$((2 * cols))
    done
}

columns() {
    for cols in 1 8 32 128 512 1024 4096 16384 65536 1048576; do
        run 05_warp_shuffle.column_best --rows $((268435456 / cols)) --cols "$cols" \
            -t f32,f16 -o sum
    done
}

# The fastest sum and CUB's outside a sequence. The columns differ, so not with STEP.
lone() {
    if [ -n "${STEP:-}" ]; then return; fi
    for sum in 05_warp_shuffle.best 06_cub; do
        turn "$sum" "$sum, alone" || continue
        csv_head >"$BUILD/rows.csv"
        "$BUILD/lone/$sum" 31 1K 4K 16K 64K 256K 1M 4M 16M 64M 256M >>"$BUILD/rows.csv"
        add
    done
}

# cuBLAS has no sum, but one of |x|: a program of its own times that.
cublas_asum() {
    turn 06_cub.cublas_asum 06_cub.cublas_asum || return 0
    # shellcheck disable=SC2046 # one argument for each size
    "$BUILD/bench_cublas" $(echo "$sizes" | tr , ' ') >"$BUILD/rows.csv"
    add
}

count=0
total=0
lessons
peers
warm
columns
softmax
lone
total=$count
count=0
if [ "$total" -eq 0 ]; then
    echo "make bench: STEP='$STEP' is not a step; the steps are: $STEPS" >&2
    exit 2
fi

if [ -n "${STEP:-}" ]; then
    out=$BUILD/bench.csv
    : >"$out"
    lessons
    peers
    warm
    columns
    softmax
    progress
    cat "$out"
    exit
fi
for file in ladder:lessons peers:peers warm:warm columns:columns softmax:softmax lone:lone; do
    out=$BUILD/${file%:*}.csv
    : >"$out"
    "${file#*:}"
    progress
    record "$out"
done
