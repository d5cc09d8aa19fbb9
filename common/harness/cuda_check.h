/* SPDX-License-Identifier: MIT */
/*
 * cuda_check.h - stop at the first CUDA error of the harness itself.
 *
 * Only for calls of the harness and of other host code. What a lesson's launcher returns is a
 * result to report, not a reason to stop.
 */
#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

/* Print file, line, call and error of a failed CUDA call, and exit with 1. */
static inline void cuda_check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
            cudaGetErrorName(error));
    exit(1);
}

#define CUDA_CHECK(call) cuda_check((call), #call, __FILE__, __LINE__)

#endif
