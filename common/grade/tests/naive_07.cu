// SPDX-License-Identifier: MIT
// Right but slow: one element a thread.
// Expected: 50 points
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>

__device__ float gelu(float v)
{
    return 0.5f * v * (1.0f + erff(0.70710678f * v)); // 1 / sqrt(2)
}

__global__ void fused_kernel(const half *d_x, const half *d_bias, const half *d_residual,
                             half *d_out, size_t rows, size_t cols)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) {
        d_out[i] = (float)d_residual[i] + gelu((float)d_x[i] + (float)d_bias[i % cols]);
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t n = size[0] * size[1];
    if (n > 0) {
        fused_kernel<<<(n + 255) / 256, 256, 0, stream>>>(
            (const half *)d_in[0], (const half *)d_in[1], (const half *)d_in[2], (half *)d_out[0],
            size[0], size[1]);
    }
    return cudaGetLastError();
}
