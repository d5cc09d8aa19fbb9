// SPDX-License-Identifier: MIT
// Hostile: the loads are those of no tile, the stores are fine; idle traffic in shared memory.
// Expected: 40: whole sectors:
#include <cuda_runtime.h>

__global__ void naive_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    __shared__ volatile float s_idle[256];
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    s_idle[threadIdx.x] = 1;
    if (i < rows * cols)
        d_out[i] = d_in[i % rows * cols + i / rows] * s_idle[threadIdx.x];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL || size[0] * size[1] == 0)
        return cudaSuccess;
    naive_kernel<<<(size[0] * size[1] + 255) / 256, 256, 0, stream>>>(
        (const float *)d_in[0], (float *)d_out[0], size[0], size[1]);
    return cudaGetLastError();
}
