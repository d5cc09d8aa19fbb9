/* SPDX-License-Identifier: MIT */
/*
 * find.h - the frame of race.cu and race_global.cu: runs one kernel by name, wrong or right.
 */
#ifndef SIMT_FIND_H
#define SIMT_FIND_H

#include <string.h>

#include "check.h"

#define KERNEL                                                                                     \
    template <bool RIGHT>                                                                          \
    __global__ void

enum { WORDS = 4096 };

static const char *wanted = "";
static bool right, ran;
static int *d_words;

static void start(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : "";
    right = argc > 2;
    CHECK(cudaMalloc(&d_words, WORDS * sizeof(int)));
    CHECK(cudaMemset(d_words, 0, WORDS * sizeof(int)));
}

/* One launch for all: each that is written out takes the compiler 10 ms. */
inline void run(void (*kernel)(int *), dim3 grid, dim3 block, size_t shared)
{
    ran = true;
    kernel<<<grid, block, shared>>>(d_words);
}

#define RUN(kernel, grid, block, shared)                                                           \
    if (strcmp(wanted, #kernel) == 0)                                                              \
        run(right ? kernel<true> : kernel<false>, grid, block, shared);

/* A race does not end the launch, and is no error of CUDA. */
static int finish()
{
    EXPECT(ran);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_words));
    return 0;
}

#endif
