// SPDX-License-Identifier: MIT
// Hostile: stores each result by an atomic, since these are no store requests.
// Expected: 30: lanes together:
#include <cuda_runtime.h>

__global__ void kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x, half = n / 2;
    if (i < half) {
        atomicExch(&d_out[i], 0.5f * (d_in[2 * i] + d_in[2 * i + 1]));
        atomicExch(&d_out[half + i], 0.5f * (d_in[2 * i] - d_in[2 * i + 1]));
    } else if (2 * i < n) {
        d_out[n - 1] = d_in[n - 1];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    cudaMemsetAsync(d_out[0], 0, size[0] * 4, stream);
    kernel<<<size[0] / 512 + 1, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                                  size[0]);
    return cudaGetLastError();
}
