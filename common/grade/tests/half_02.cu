// SPDX-License-Identifier: MIT
// Half right: whole warps make means or details, but each pair is loaded twice.
// Expected: 75 points
#include <cuda_runtime.h>
#include <stddef.h>

__global__ void haar_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t half = n / 2;
    if (i < half) {
        d_out[i] = 0.5f * (d_in[2 * i] + d_in[2 * i + 1]);
    } else if (i < 2 * half) {
        d_out[i] = 0.5f * (d_in[2 * (i - half)] - d_in[2 * (i - half) + 1]);
    } else if (i < n) {
        d_out[i] = d_in[i];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t n = size[0];
    if (n > 0) {
        haar_kernel<<<(n + 255) / 256, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                                         n);
    }
    return cudaGetLastError();
}
