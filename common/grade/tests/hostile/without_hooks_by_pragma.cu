// SPDX-License-Identifier: MIT
// Hostile: changes how the rest is compiled.
// Expected: 0: this #pragma is not accepted
#include <cuda_runtime.h>

#pragma GCC optimize("O3")

// Right, and slow: one thread counts.
__global__ void count_kernel(const float *d_in, unsigned long long *d_count, size_t n,
                             float threshold)
{
    unsigned long long count = 0;
    for (size_t i = 0; i < n; i++)
        count += d_in[i] > threshold;
    *d_count = count;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    count_kernel<<<1, 1, 0, stream>>>((const float *)d_in[0], (unsigned long long *)d_out[0],
                                      size[0], (float)size[1]);
    return cudaGetLastError();
}
