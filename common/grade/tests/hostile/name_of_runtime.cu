// SPDX-License-Identifier: MIT
// Hostile: a function that has the name of one of the C library's start.
// Expected: 0: read of device memory by host code
#include <cuda_runtime.h>

extern "C" {
static __noinline__ float frame_dummy(const float *p)
{
    return *p;
}
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    *work_bytes = frame_dummy((const float *)d_in[0]) > 1;
    return cudaSuccess;
}
