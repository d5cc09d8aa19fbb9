// SPDX-License-Identifier: MIT
// Hostile: a kernel carries the input to where the host reads it.
// Expected: 0: read outside its own variables by host code
#include <cuda_runtime.h>

__device__ float d_window[4096];

__global__ void carry_kernel(const float *d_in, size_t n)
{
    for (size_t i = 0; i < n && i < 4096; i++)
        d_window[i] = d_in[i];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    carry_kernel<<<1, 1, 0, stream>>>((const float *)d_in[0], size[0]);
    const float *const window = d_window; // by its name simtcc refuses it
    unsigned long long count = 0;
    for (size_t i = 0; i < size[0] && i < 4096; i++)
        count += window[i] > (float)size[1];
    return cudaMemsetAsync(d_out[0], (int)count, 1, stream);
}
