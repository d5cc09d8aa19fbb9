// SPDX-License-Identifier: MIT
// Right but slow: one thread a row, which it reads three times.
// Expected: 50 points
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

__global__ void norm_kernel(const float *d_in, const float *d_gamma, const float *d_beta,
                            float *d_out, size_t rows, size_t cols)
{
    const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    const float *d_row = d_in + row * cols;
    double sum = 0, squares = 0;
    for (size_t c = 0; c < cols; c++) {
        sum += d_row[c];
    }
    const float mean = (float)(sum / cols);
    for (size_t c = 0; c < cols; c++) {
        squares += (d_row[c] - mean) * (d_row[c] - mean);
    }
    const float scale = 1.0f / sqrtf((float)(squares / cols) + 1e-5f);
    for (size_t c = 0; c < cols; c++) {
        d_out[row * cols + c] = (d_row[c] - mean) * scale * d_gamma[c] + d_beta[c];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (size[0] > 0) {
        norm_kernel<<<(size[0] + 255) / 256, 256, 0, stream>>>(
            (const float *)d_in[0], (const float *)d_in[1], (const float *)d_in[2],
            (float *)d_out[0], size[0], size[1]);
    }
    return cudaGetLastError();
}
