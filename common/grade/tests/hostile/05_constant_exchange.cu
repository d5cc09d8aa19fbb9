// SPDX-License-Identifier: MIT
// Hostile: lanes meet in __constant__ memory, whose reads are not counted.
// Expected: 0: forbidden write
#include <cuda_runtime.h>

__constant__ float c_most[1024 * 32];

__global__ void argmax_kernel(const float *d_in, int *d_out, size_t rows, size_t cols)
{
    const size_t row = (size_t)blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float *most = (float *)c_most + row * 32;
    int best = __shfl_sync(0xffffffff, -1, 0);
    most[lane] = -INFINITY;
    for (size_t c = lane; c < cols; c += 32)
        most[lane] = fmaxf(most[lane], d_in[row * cols + c]);
    __syncwarp();
    for (int l = 0; l < 32; l++)
        best = most[l] == most[lane] ? l : best;
    d_out[row] = best;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL || size[0] == 0)
        return cudaSuccess;
    argmax_kernel<<<(size[0] + 7) / 8, 256, 0, stream>>>((const float *)d_in[0], (int *)d_out[0],
                                                         size[0], size[1]);
    return cudaGetLastError();
}
