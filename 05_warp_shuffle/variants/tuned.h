/* SPDX-License-Identifier: MIT */
/*
 * tuned.h - how best.cu cuts up its work, by size. Written by `make tune`.
 *
 * NVIDIA H200, CUDA 13.0
 */
#ifndef TUNED_H
#define TUNED_H

/* PLAN(up to this many bytes, threads a block, packs in flight a thread, blocks an SM at most) */
#define TUNED(PLAN)                                                                                \
    PLAN(16384, 256, 4, 1)                                                                         \
    PLAN(65536, 1024, 4, 1)                                                                        \
    PLAN(1048576, 256, 1, 8)                                                                       \
    PLAN(4194304, 512, 2, 2)                                                                       \
    PLAN(33554432, 512, 4, 2)                                                                      \
    PLAN(SIZE_MAX, 512, 4, 4)

#endif
