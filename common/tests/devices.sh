#!/bin/sh
# SPDX-License-Identifier: MIT
#
# devices.sh - the fastest kernels are right on GPUs that they were not tuned on: compiled and run
# for each other device of the emulator, which has fewer SMs, less shared memory and no clusters.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:?make test sets it}"
. common/tests/check.sh

for device in t4 a100 rtx4090; do
    export SIMT_DEVICE=$device
    for source in [0-9][0-9]_*/*/*best.cu; do
        check "$device compiles $source" common/simt/simtcc -arch=native -std=c++20 -Icommon \
            "$source" "$BUILD/libharness.a" -lm -o "$tmp/program"
        check "$device $source" "$tmp/program" --check --quick
    done
done
finish
