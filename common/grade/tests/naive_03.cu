// SPDX-License-Identifier: MIT
// Right but slow: no tile. Neighbouring lanes store far from each other.
// Expected: 40 points
#include <cuda_runtime.h>
#include <stddef.h>

__global__ void transpose_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) {
        d_out[i % cols * rows + i / cols] = d_in[i];
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
        transpose_kernel<<<(n + 255) / 256, 256, 0, stream>>>((const float *)d_in[0],
                                                              (float *)d_out[0], size[0], size[1]);
    }
    return cudaGetLastError();
}
