// SPDX-License-Identifier: MIT
// Hostile: changes the input into one that it can count.
// Expected: 0: which is read-only
#include <cuda_runtime.h>

__global__ void change_kernel(float *d_in, unsigned long long *d_count, size_t n, float threshold)
{
    unsigned long long count = 0;
    for (size_t i = 0; i < n; i++) {
        count += d_in[i] > threshold;
        d_in[i] = 0;
    }
    *d_count = count;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    change_kernel<<<1, 1, 0, stream>>>((float *)(size_t)d_in[0], (unsigned long long *)d_out[0],
                                       size[0], (float)size[1]);
    return cudaGetLastError();
}
