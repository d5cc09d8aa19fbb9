// SPDX-License-Identifier: MIT
// Hostile: reads memory as arguments that were never given.
// Expected: 0: 'va_start' is not accepted
#include <cuda_runtime.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    return va_arg(list, int);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    *work_bytes = sum(1);
    return cudaSuccess;
}
