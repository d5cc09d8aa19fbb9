// SPDX-License-Identifier: MIT
// Hostile: writes to the runtime at a distance from a function that it may name.
// Expected: 0: write outside its own variables by host code
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    volatile char *p = (volatile char *)(size_t)&cudaGetLastError;
    p[1 << 16] = 1;
    return cudaSuccess;
}
