/* SPDX-License-Identifier: MIT */
/*
 * tuned.h - how best.cu cuts up its work, by size. Written by `make tune`.
 *
 * NVIDIA H200, CUDA 13.0
 */
#ifndef TUNED_H
#define TUNED_H

/* PLAN(up to this many bytes, threads a block, packs in flight a thread, blocks an SM at most) */
/* clang-format off */
#define TUNED(PLAN) \
    PLAN(4096, 128, 2, 2) \
    PLAN(16384, 256, 4, 8) \
    PLAN(65536, 1024, 4, 2) \
    PLAN(1048576, 128, 4, 2) \
    PLAN(4194304, 256, 4, 8) \
    PLAN(16777216, 512, 2, 4) \
    PLAN(SIZE_MAX, 512, 4, 4)

/* for elements of 8 bytes */
#define TUNED_F64(PLAN) \
    PLAN(8192, 256, 2, 1) \
    PLAN(32768, 256, 8, 1) \
    PLAN(131072, 128, 2, 1) \
    PLAN(524288, 256, 2, 1) \
    PLAN(2097152, 256, 2, 2) \
    PLAN(8388608, 256, 8, 8) \
    PLAN(SIZE_MAX, 512, 4, 2)
/* clang-format on */

#endif
