#!/bin/sh
# SPDX-License-Identifier: MIT
#
# devices.sh - each lesson, the fastest kernels, and those that need what not every GPU has, are
# right on GPUs that they were not tuned on: compiled and run for each other device of the emulator.
# What a GPU cannot do, the launcher refuses when it is asked for the scratch size; no launch fails.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
. common/tests/check.sh

# The default device, which all other tests have, comes first.
devices=$(SIMT_DEVICE=list common/simt/simtcc 01_naive/kernel.cu 2>&1 |
    sed -n 's/.* there are: //p')
want 'there is none' [ -n "${devices#* }" ]
verdict 'the other devices of the emulator'

refuses=$(grep -l cudaErrorNotSupported [0-9]*/*/*.cu)
for device in ${devices#* }; do
    export SIMT_DEVICE="$device"
    # shellcheck disable=SC2086 # a list of files
    for source in [0-9]*/kernel.cu [0-9]*/*/*best.cu $refuses; do
        check "$device compiles $source" common/simt/simtcc -arch=native -std=c++20 -Icommon \
            "$source" "$BUILD/libharness.a" -lm -o "$tmp/program"
        run "$tmp/program" --check
        case $status:$refuses in
        1:*"$source"*) want 'it fails' names err 'nothing was run: it supports nothing of this' ;;
        *) want "exit $status, expected 0" [ "$status" -eq 0 ] ;;
        esac
        want 'a launch failed' lacks err 'launch failed'
        verdict "$device $source"
    done
done
finish
