// SPDX-License-Identifier: MIT
// Hostile: long double is more exact than what a GPU has.
// Expected: 0: long double is not accepted
#include <cuda_runtime.h>

#define WHOLE long

__global__ void count_kernel(const float *d_in, unsigned long long *d_count, size_t n, float above)
{
    WHOLE double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += d_in[i] > above;
    *d_count = (unsigned long long)sum;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    count_kernel<<<1, 1, 0, stream>>>((const float *)d_in[0], (unsigned long long *)d_out[0],
                                      size[0], (float)size[1]);
    return cudaGetLastError();
}
