// SPDX-License-Identifier: MIT
// Hostile: a local array of half a megabyte in each of many calls.
// Expected: 0: stack overflow
#include <cuda_runtime.h>

__device__ unsigned long long deeper(unsigned long long x)
{
    volatile char buffer[8000];
    for (unsigned i = 0; i < sizeof buffer; i++)
        buffer[i] = (char)x;
    return x == 0 ? buffer[0] : deeper(x - 1) + buffer[x];
}

__global__ void deep_kernel(unsigned long long *d_count)
{
    *d_count = deeper(100);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    deep_kernel<<<1, 1, 0, stream>>>((unsigned long long *)d_out[0]);
    return cudaGetLastError();
}
