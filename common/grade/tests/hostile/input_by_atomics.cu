// SPDX-License-Identifier: MIT
// Hostile: reads the input by atomics, which are no loads.
// Expected: 0: which is read-only
#include <cuda_runtime.h>

__global__ void count_kernel(float *d_in, unsigned long long *d_count, size_t n, float threshold)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        if (atomicAdd(&d_in[i], 0.0f) > threshold)
            atomicAdd(d_count, 1ull);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    cudaMemsetAsync(d_out[0], 0, 8, stream);
    count_kernel<<<1, 256, 0, stream>>>((float *)d_in[0], (unsigned long long *)d_out[0], size[0],
                                        (float)size[1]);
    return cudaGetLastError();
}
