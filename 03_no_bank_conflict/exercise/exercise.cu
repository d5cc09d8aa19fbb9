// SPDX-License-Identifier: MIT
//
// Exercise 03: transpose a matrix in tiles, without bank conflicts.
//
// in has rows x cols elements, row after row, and out[c * rows + r] = in[r * cols + c].
// A block takes one tile: it reads rows of the tile, and writes its columns as rows.
// Write the parts that are marked. Do not change the rest.
#include <cuda_runtime.h>
#include <stddef.h>

#define TILE 32       // a tile is TILE x TILE elements
#define THREAD_ROWS 8 // a block is TILE x THREAD_ROWS threads: each moves 4 elements of the tile

// Launch: TILE x THREAD_ROWS threads a block, of which those of one y are a warp; one block a tile.
// The grid has one dimension, since the other two end at 65,535. d_in and d_out need no alignment.
__global__ void transpose_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    const size_t tiles_across = (cols + TILE - 1) / TILE;
    const size_t first_row = blockIdx.x / tiles_across * TILE;
    const size_t first_col = blockIdx.x % tiles_across * TILE;
    const unsigned x = threadIdx.x;
    // --- your part
    // This copies 8 rows of the tile and turns nothing. A tile has 32 rows and must go through
    // shared memory.
    const size_t row = first_row + threadIdx.y;
    if (row < rows && first_col + x < cols) {
        d_out[row * cols + first_col + x] = d_in[row * cols + first_col + x];
    }
    // --- end of your part
}

// rows and cols may be 0.
static cudaError_t launch(const float *d_in, float *d_out, size_t rows, size_t cols,
                          cudaStream_t stream)
{
    const size_t tiles = (rows + TILE - 1) / TILE * ((cols + TILE - 1) / TILE);
    if (tiles > 0) {
        const dim3 block(TILE, THREAD_ROWS);
        transpose_kernel<<<tiles, block, 0, stream>>>(d_in, d_out, rows, cols);
    }
    return cudaGetLastError();
}

// The entry that the grader calls. Do not change it. No scratch memory is needed.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    return launch((const float *)d_in[0], (float *)d_out[0], size[0], size[1], stream);
}
