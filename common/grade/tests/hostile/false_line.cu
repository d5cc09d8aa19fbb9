// SPDX-License-Identifier: MIT
// Hostile: says that its text comes from a header of the system.
// Expected: 0: this directive is not accepted
#include <cuda_runtime.h>

# 1 "/usr/include/stdio.h" 1 3
__attribute__((no_sanitize("thread"))) static int peek(const int *p)
{
    return *p;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *(size_t *)d_out[0] = (size_t)peek((const int *)d_in[0]);
    return cudaSuccess;
}
