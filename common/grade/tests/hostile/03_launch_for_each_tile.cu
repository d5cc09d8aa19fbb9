// SPDX-License-Identifier: MIT
// Hostile: a launch for each tile, and a host loop around it.
// Expected: 70: whole sectors:
#include <cuda_runtime.h>

__global__ void tile_kernel(const float *d_in, float *d_out, size_t rows, size_t cols, size_t row,
                            size_t col)
{
    __shared__ float s_tile[32][33];
    const size_t x = threadIdx.x, y = threadIdx.y;
    if (row + y < rows && col + x < cols)
        s_tile[y][x] = d_in[(row + y) * cols + col + x];
    __syncthreads();
    if (row + x < rows && col + y < cols)
        d_out[(col + y) * rows + row + x] = s_tile[x][y];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    for (size_t row = 0; row < size[0]; row += 32)
        for (size_t col = 0; col < size[1]; col += 32)
            tile_kernel<<<1, dim3(32, 32), 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                                        size[0], size[1], row, col);
    return cudaGetLastError();
}
