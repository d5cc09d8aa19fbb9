// SPDX-License-Identifier: MIT
// Half right: counts well, but with an atomic for each element and without partials.
// Expected: 70 points
#include <cuda_runtime.h>
#include <stddef.h>

typedef unsigned long long count_t;

__global__ void count_kernel(const float *d_in, count_t *d_count, size_t n, float threshold)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && d_in[i] >= threshold) {
        atomicAdd(d_count, 1ull);
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t n = size[0];
    *work_bytes = 0;
    if (d_work == NULL) {
        return cudaSuccess;
    }
    cudaMemsetAsync(d_out[0], 0, sizeof(count_t), stream);
    if (n > 0) {
        count_kernel<<<(n + 255) / 256, 256, 0, stream>>>((const float *)d_in[0],
                                                          (count_t *)d_out[0], n, (float)size[1]);
    }
    return cudaGetLastError();
}
