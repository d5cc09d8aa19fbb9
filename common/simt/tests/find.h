/* SPDX-License-Identifier: MIT */
/*
 * find.h - the frame of race.cu and the like: `program NAME` runs a kernel as it is wrong, `program
 * NAME right` as it is right. Each says at its head how it is launched.
 */
#ifndef SIMT_FIND_H
#define SIMT_FIND_H

#include "check.h"

enum { WORDS = 4096 };

typedef void (*kernel_t)(int *);

static bool right;
static int *d_words; /* what each kernel gets, all 0 */

/* One launch for all: each that is written out takes the compiler 10 ms. */
inline void launch(kernel_t kernel, dim3 grid, dim3 block, size_t shared = 0)
{
    kernel<<<grid, block, shared>>>(d_words);
}

/* A kernel and its launch: KERNEL(name, blocks, threads, shared bytes), or by other calls, which
 * use `kernel`. */
#define KERNEL(name, ...) KERNEL_BY(name, launch(kernel, __VA_ARGS__))
#define KERNEL_BY(name, ...)                                                                       \
    template <bool RIGHT>                                                                          \
    __global__ void name(int *d);                                                                  \
    static void run_##name()                                                                       \
    {                                                                                              \
        const kernel_t kernel = right ? name<true> : name<false>;                                  \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static const test_case case_##name(#name, run_##name);                                         \
    template <bool RIGHT>                                                                          \
    __global__ void name([[maybe_unused]] int *d)

/* A race does not end the launch, and is no error of CUDA. */
int main(int argc, char **argv)
{
    right = argc > 2;
    CHECK(cudaMalloc(&d_words, WORDS * sizeof(int)));
    CHECK(cudaMemset(d_words, 0, WORDS * sizeof(int)));
    run_cases(argv[1]);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_words));
    return 0;
}

#endif
