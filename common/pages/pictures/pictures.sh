#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pictures.sh FOLDER - draws the pictures of the lessons into FOLDER/NN_name/. Each is drawn from
# traces of the emulator, made anew. `make plot` draws them into the course, and the tests into a
# folder of their own, to compare. BUILD: where pictures.mk has built.
set -eu
target=$(cd "$1" && pwd)
cd "$(dirname "$0")/../../.."
: "${BUILD:?make plot sets it}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

trace() { # NAME PROGRAM OPTIONS...
    trace=$work/$1 program=$2
    shift 2
    SIMT_TRACE=$trace "$BUILD/$program" -t f32 "$@" >"$work/log" 2>&1 ||
        case $program in faults/*) ;; *) cat "$work/log" >&2 && exit 1 ;; esac
}

draw() { # PICTURE KIND NAME=FILE...
    picture=$target/$1
    shift
    mkdir -p "$(dirname "$picture")"
    "$BUILD/pages/pictures" "$@" >"$work/picture"
    cp "$work/picture" "$picture"
}

trace blocks 01_naive -o sum --once -n 1000
trace 01 01_naive -o sum --once -n 256
trace 02 02_no_divergence -o sum --once -n 256
trace 03 03_no_bank_conflict -o sum --once -n 256
draw 01_naive/places.svg places "01 naive=$work/blocks"
draw 01_naive/warps.svg warps "01 naive=$work/01"
export FAULT=barrier_missing_pairs
trace race faults/barriers -o sum --once -n 256
unset FAULT
draw 01_naive/race.svg race "without the barrier=$work/race" "with it=$work/01"
draw 02_no_divergence/warps.svg warps "02 no divergence=$work/02"
draw 02_no_divergence/banks.svg banks "02 no divergence=$work/02"
trace padded 02_no_divergence.padded -o sum --once -n 256
draw 02_no_divergence/tile.svg tile "02 no divergence=$work/02" "padded=$work/padded"
draw 03_no_bank_conflict/banks.svg banks "03 no bank conflict=$work/03"

trace packs 04_vectorized -o sum --once -n 2M
trace scalar 04_vectorized.scalar -o sum --once -n 2M
trace blocked 04_vectorized.blocked -o sum --once -n 2M
trace head 04_vectorized -o sum --once -n 12 --offset 1
draw 04_vectorized/sectors.svg sectors \
    "scalar=$work/scalar" "blocked=$work/blocked" "the kernel=$work/packs"
draw 04_vectorized/loop.svg loop "the kernel: a grid-stride loop, 16 bytes a load=$work/packs" \
    "scalar: a grid-stride loop, 4 bytes a load=$work/scalar" \
    "blocked: each thread has a stretch=$work/blocked"
draw 04_vectorized/parts.svg parts "d_in at address 4, n = 12=$work/head"

trace 04 04_vectorized -o sum --once -n 1K
draw 05_warp_shuffle/tree.svg warps "04 vectorized=$work/04"
trace shuffles 05_warp_shuffle -o sum --once -n 1K
draw 05_warp_shuffle/shuffles.svg shuffles "05 warp shuffle=$work/shuffles"

trace naive 07_elementwise.naive -o relu --once -n 1K
trace map 07_elementwise -o relu --once -n 1K
draw 07_elementwise/sectors.svg sectors "naive=$work/naive" "the kernel=$work/map"

# The check gives each buffer a boundary of its own: in its second launch the input's is missed.
export SIMT_TRACE_LAUNCH=1
trace aligned 07_elementwise -o relu --once -n 25
trace offset 07_elementwise -o relu --once -n 25 --offset 1
SIMT_TRACE_LAUNCH=2
trace apart 07_elementwise -o relu --check -n 25
draw 07_elementwise/parts.svg parts "both at a boundary=$work/aligned" \
    "both one element past it=$work/offset" "the input alone past it=$work/apart"
