// SPDX-License-Identifier: MIT
// Hostile: a call into the middle of a function, after the hook of its load.
// Expected: 0: it calls an address where no function of this file begins
// Where: x86_64
#include <cuda_runtime.h>

__noinline__ float load(const float *p)
{
    return *p;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    auto inside = (float (*)(const float *))((char *)load + 16);
    *work_bytes = inside((const float *)d_in[0]) > 1;
    return cudaSuccess;
}
