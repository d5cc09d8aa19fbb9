#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench.sh - `make bench`: measures on this GPU, in one run under the same rules,
#
#   common/results/<gpu>/ladder.csv   the seven lessons, over sizes, types and operators
#   common/results/<gpu>/peers.csv    the fastest kernels of the course beside CUB and cuBLAS:
#                                     sums over sizes, rows over shapes, elementwise over sizes
#
# STEP=05 measures the programs of one step and prints them instead; the variants' turn comes with
# `make ablate`. From make's environment: BUILD, DEVICE, STEPS.
set -eu
cd "$(dirname "$0")/.."
if [ "$DEVICE" != gpu ]; then
    echo "make bench needs a GPU and nvcc: the emulator has no notion of time ($DEVICE_WHY)" >&2
    exit 77
fi

folder=common/results/$(sh common/gpu_name.sh)
mkdir -p "$folder"
: "${COURSE_COMMIT:=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
export COURSE_COMMIT

# run PROGRAM OPTIONS...: adds the rows of one program to $out.
run() {
    program=$1
    shift
    case $program in "${STEP:-}"*) ;; *) return ;; esac
    if [ -t 2 ]; then printf '\r%-60.60s' "$program $*" >&2; fi
    "$BUILD/$program" --csv "$@" >"$BUILD/rows.csv"
    if [ ! -s "$out" ]; then
        sed -n '/^#/p' "$BUILD/rows.csv" | grep -v '^# command' >"$out"
        echo '# command: make bench' >>"$out"
        grep '^step,' "$BUILD/rows.csv" >>"$out"
    fi
    grep -v -e '^#' -e '^step,' "$BUILD/rows.csv" >>"$out"
}

# ---- the lessons ----
out=$BUILD/ladder.csv
: >"$out"
sizes=1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G
# shellcheck disable=SC2153 # STEPS comes from make; STEP is the one that was asked for
for program in $STEPS; do
    case $("$BUILD/$program" --list) in
    *gelu*)
        run "$program" -n "$sizes" -t f32,f16 -o gelu
        run "$program" -n 256M -t f32,f16 -o relu,mul,fma,cast
        ;;
    *)
        run "$program" -n "$sizes" -t f32 -o sum
        run "$program" -n 256M -t f32 -o max,min
        run "$program" -n 256M -t f64,i32 -o sum,max,min
        ;;
    esac
done

# ---- sums: the fastest of ours and its parts, CUB, cuBLAS ----
if [ -z "${STEP:-}" ]; then
    cp "$out" "$folder/ladder.csv"
    out=$BUILD/peers.csv
    : >"$out"
fi
all=$sizes,4G,8G
run 06_cub -n "$all" -t f32 -o sum
run 05_warp_shuffle.best -n "$all" -t f32 -o sum
run 05_warp_shuffle.mailbox -n "$all" -t f32 -o sum
run 05_warp_shuffle.one_pass -n "$sizes" -t f32 -o sum
run 05_warp_shuffle.single_block -n 1K,4K,16K,64K -t f32 -o sum
run 05_warp_shuffle.cluster -n 4K,16K,64K,256K -t f32 -o sum
run 05_warp_shuffle.bulk_copy -n 16M,64M,256M,1G,4G,8G -t f32 -o sum
run 06_cub.cublas -n "$sizes" -t f32 -o sum
run 05_warp_shuffle.best -n 16K,1M,256M -t f64,i32,f16 -o sum,max
run 06_cub -n 16K,1M,256M -t f64,i32 -o sum,max
# cuBLAS has no sum, but one of |x|: a program of its own times that, where cuBLAS is.
case ${STEP:-06} in
06*)
    if MAKEFLAGS="" MFLAGS="" "${MAKE:-make}" -f common/accuracy.mk --no-print-directory \
        BUILD_DIR="${BUILD%/*}" DEVICE=gpu bench_cublas >&2; then
        # shellcheck disable=SC2046 # one argument for each size
        "$BUILD/bench_cublas" $(echo "$sizes" | tr , ' ') | grep -v -e '^#' -e '^step,' >>"$out"
    fi
    ;;
esac

# ---- rows: 2^28 elements in shapes from tall to wide ----
for cols in 32 64 128 512 1024 2048 4096 16384 65536 1048576 16777216 268435456; do
    run 05_warp_shuffle.row_best --rows $((268435456 / cols)) --cols "$cols" -t f32 -o sum
    run 06_cub.segmented --rows $((268435456 / cols)) --cols "$cols" -t f32 -o sum
done

# ---- elementwise ----
for program in 07_elementwise.best 06_cub.transform; do
    run "$program" -n 1M,4M,16M,64M,256M,1G -t f32,f16 -o gelu
    run "$program" -n 4M,64M,256M -t f32 -o mul,fma
done

if [ -t 2 ]; then printf '\r%60s\r' '' >&2; fi
if [ -n "${STEP:-}" ]; then
    cat "$out"
else
    cp "$out" "$folder/peers.csv"
    for file in ladder peers; do
        echo "wrote $folder/$file.csv: $(grep -vc -e '^#' -e '^step,' "$folder/$file.csv") rows"
    done
fi
