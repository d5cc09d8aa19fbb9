/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - the kernels that the quiz asks about. Valid C11 and CUDA.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WARP = 32, PATTERN_ARGS = 4, PATTERN_THREADS = 256, PATTERN_BLOCKS = 4 };

/* In the order of kinds.c. The arguments are described there, and before each kernel. */
enum pattern {
    PATTERN_STRIDE,
    PATTERN_PITCH,
    PATTERN_WORDS,
    PATTERN_WIDE,
    PATTERN_SECTORS,
    PATTERN_ALIGNED,
    PATTERN_GATHER,
    PATTERN_PACKS,
    PATTERN_LANES,
    PATTERN_WARPS,
    PATTERN_TREE,
    PATTERN_BARRIERS,
    PATTERN_SHUFFLES,
    PATTERN_ATOMICS,
    PATTERNS
};

/* The random elements of `words` and `gather`: lane l takes element index[l]. */
struct indices {
    int index[WARP];
};
struct indices pattern_indices(int range, int seed);

/* Launches the kernel of a pattern once and waits for it. */
cudaError_t pattern_launch(enum pattern pattern, const int arg[PATTERN_ARGS]);

#ifdef __cplusplus
}
#endif
#endif
