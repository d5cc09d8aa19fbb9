#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: devices - each lesson, the fastest kernels, and those with special requirements are correct
# on GPUs for which they were not tuned: compiled and run for each other device of the emulator.
# What a GPU cannot do, the launcher refuses when asked for the scratch size; no launch fails, of
# small inputs or large ones.
# Full: sh common/tests/devices.sh
# Where: cpu
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh

# The default device, which all other tests use, comes first.
devices=$(SIMT_DEVICE=list common/simt/simtcc 01_naive/kernel.cu 2>&1 |
    sed -n 's/.* choose one of: //p')
want 'there is none' [ -n "${devices#* }" ]
verdict 'the other devices of the emulator'

refuses=$(grep -l cudaErrorNotSupported [0-9]*/*/*.cu)
# 05_warp_shuffle/faster/best.cu is 05_warp_shuffle.best.
name_of() { echo "$1" | sed 's,/kernel\.cu$,,; s,/[a-z_]*/,.,; s,\.cu$,,'; }

simtcc() { common/simt/simtcc -std=c++20 -Icommon "$@"; }
text_of() { simtcc -E "$1" >"$tmp/text" && cksum <"$tmp/text" | tr ' ' _; }

# Sets $program: FILE for $SIMT_DEVICE. What is the same text after the preprocessor is compiled
# once; make has compiled that of the default device.
compile() { # FILE
    program=$tmp/none
    text=$(text_of "$1") || return
    program=$tmp/$text
    [ "$text" != "$default" ] || program=$BUILD/$(name_of "$1")
    [ -x "$program" ] || simtcc "$1" "$BUILD/libharness.a" -lm -o "$program"
}

# Of what is fastest, a large input too: the quick check has none, and clusters, bulk copies and
# grids that fill a GPU are for those. 400003 floats: a cluster of 16 blocks, where there are any.
inputs_of() { # FILE
    echo '--check --quick'
    case $1 in
    */kernel.cu) ;;
    */rows/*) echo '-t f32 --rows 1 --cols 400003' ;;
    *) echo '-t f32 -n 1000003' ;;
    esac
}

try() { # OPTION...
    run "$program" "$@"
    case $status:$refuses in
    1:*"$source"*) want 'it fails' names err 'nothing was run: it supports none of this' ;;
    *) want "exit $status, expected 0" [ "$status" -eq 0 ] ;;
    esac
    want 'a launch failed' lacks err 'launch failed'
    verdict "$device $source $*"
}

# shellcheck disable=SC2086 # lists of files and of options
for source in [0-9]*/kernel.cu [0-9]*/*/*best.cu $refuses; do
    default=$(text_of "$source")
    inputs_of "$source" >"$tmp/inputs"
    for device in ${devices#* }; do
        export SIMT_DEVICE="$device"
        check "$device compiles $source" compile "$source"
        while read -r input; do
            try $input
        done <"$tmp/inputs"
    done
    unset SIMT_DEVICE
    find "$tmp" -type f -size +100k -delete # programs of this file
done

# A grid that just fills the GPU: a T4 has 40 SMs, and each holds 1024 threads, four blocks of 256.
fill='(size_t)sms \* blocks_per_sm'
for source in $(grep -l 'step_t step' [0-9]*/kernel.cu [0-9]*/*/*.cu | xargs grep -li "$fill"); do
    size='-n 524288'
    case $source in */rows/*) size='--rows 8192 --cols 64' ;; esac
    name=$(name_of "$source")
    # shellcheck disable=SC2086 # a list of options
    ends 0 env SIMT_DEVICE=t4 SIMT_COUNTERS="$tmp/counters.csv" "$BUILD/$name" --once $size
    blocks=$(awk -F, '{ split($3, at, "x"); n = at[1] * at[2] * at[3]; if (n > most) most = n }
        END { print most + 0 }' "$tmp/counters.csv")
    want "it launches $blocks blocks; the GPU holds 160 of them" [ "$blocks" -eq 160 ]
    verdict "$name fills a t4, not more"
done
finish
