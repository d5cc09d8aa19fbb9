// SPDX-License-Identifier: MIT
// Hostile: a loop on memory without an end.
// Expected: 0: one block:
#include <cuda_runtime.h>

__global__ void wait_kernel(volatile unsigned long long *d_flag)
{
    while (*d_flag != 1)
        continue;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    wait_kernel<<<1, 32, 0, stream>>>((unsigned long long *)d_out[0]);
    return cudaGetLastError();
}
