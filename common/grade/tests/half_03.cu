// SPDX-License-Identifier: MIT
// Half right: the tile goes through shared memory, but its columns are in one bank.
// Expected: 70 points
#include <cuda_runtime.h>
#include <stddef.h>

#define TILE 32

__global__ void transpose_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    __shared__ float s_tile[TILE][TILE];
    const size_t tiles_across = (cols + TILE - 1) / TILE;
    const size_t first_row = blockIdx.x / tiles_across * TILE;
    const size_t first_col = blockIdx.x % tiles_across * TILE;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    if (first_row + y < rows && first_col + x < cols) {
        s_tile[y][x] = d_in[(first_row + y) * cols + first_col + x];
    }
    __syncthreads(); // the tile is complete
    if (first_col + y < cols && first_row + x < rows) {
        d_out[(first_col + y) * rows + first_row + x] = s_tile[x][y];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t tiles = (size[0] + TILE - 1) / TILE * ((size[1] + TILE - 1) / TILE);
    if (tiles > 0) {
        transpose_kernel<<<tiles, dim3(TILE, TILE), 0, stream>>>(
            (const float *)d_in[0], (float *)d_out[0], size[0], size[1]);
    }
    return cudaGetLastError();
}
