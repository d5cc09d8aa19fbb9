// SPDX-License-Identifier: MIT
// Hostile: one thread a row, as in naive_05.cu, beside shuffles that do nothing.
// Expected: 60: registers only:
#include <cuda_runtime.h>
#include <math.h>

__global__ void argmax_kernel(const float *d_in, int *d_out, size_t rows, size_t cols)
{
    const size_t row = (size_t)blockIdx.x * 32 + threadIdx.x;
    int best = -1;
    for (size_t c = 0; row < rows && c < cols; c++) {
        const float x = d_in[row * cols + c];
        if (best < 0 || x > d_in[row * cols + best] ||
            (isnan(x) && !isnan(d_in[row * cols + best])))
            best = isnan(d_in[row * cols + (best < 0 ? 0 : best)]) && best >= 0 ? best : (int)c;
    }
    for (int k = 0; k < 400; k++)
        __shfl_sync(0xffffffffu, best, 0);
    if (row < rows)
        d_out[row] = best;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    if (size[0] > 0)
        argmax_kernel<<<(size[0] + 31) / 32, 32, 0, stream>>>((const float *)d_in[0],
                                                              (int *)d_out[0], size[0], size[1]);
    return cudaGetLastError();
}
