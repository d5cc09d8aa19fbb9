// SPDX-License-Identifier: MIT
//
// Exercise open-matmul: the product of two matrices.
//
// d_in[0] is A, rows x inner floats, and d_in[1] is B, inner x cols, both row after row. d_out[0]
// is their product, rows x cols: out[r][c] = sum of A[r][k] * B[k][c] over k. size[] has rows,
// inner and cols; each may be any number, 0 too; a sum of nothing is 0. The arrays are aligned only
// to one float. Write the kernel and its launcher: this file is only the contract.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
// >>> solution

// A block computes a tile of 64 x 64. It goes along `inner` in steps of 16: the parts of A and B
// that the step needs go to shared memory, where each element is used 64 times. A thread computes
// 4 x 4 elements in registers, so that 8 loads from shared memory serve 16 products.
#define TILE 64
#define STEP 16
#define OWN 4             // a thread has OWN x OWN elements
#define SIDE (TILE / OWN) // a block has SIDE x SIDE threads
#define BLOCK_SIZE (SIDE * SIDE)

// Launch: BLOCK_SIZE threads a block, a block for each tile.
__global__ void __launch_bounds__(BLOCK_SIZE)
    product_kernel(const float *d_a, const float *d_b, float *d_out, size_t rows, size_t inner,
                   size_t cols)
{
    __shared__ float s_a[TILE][STEP + 1]; // + 1: rows begin in different banks
    __shared__ float s_b[STEP][TILE];
    const size_t tiles_across = (cols + TILE - 1) / TILE;
    const size_t first_row = blockIdx.x / tiles_across * TILE;
    const size_t first_col = blockIdx.x % tiles_across * TILE;
    const unsigned x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    float sum[OWN][OWN] = {};

    for (size_t from = 0; from < inner; from += STEP) {
        for (unsigned i = threadIdx.x; i < TILE * STEP; i += BLOCK_SIZE) {
            const size_t row = first_row + i / STEP, k = from + i % STEP;
            s_a[i / STEP][i % STEP] = row < rows && k < inner ? d_a[row * inner + k] : 0.0f;
        }
        for (unsigned i = threadIdx.x; i < TILE * STEP; i += BLOCK_SIZE) {
            const size_t k = from + i / TILE, col = first_col + i % TILE;
            s_b[i / TILE][i % TILE] = k < inner && col < cols ? d_b[k * cols + col] : 0.0f;
        }
        __syncthreads(); // both parts are complete
        for (unsigned k = 0; k < STEP; k++) {
            float a[OWN], b[OWN];
            for (unsigned j = 0; j < OWN; j++) {
                a[j] = s_a[y + j * SIDE][k];
                b[j] = s_b[k][x + j * SIDE];
            }
            for (unsigned r = 0; r < OWN; r++) {
                for (unsigned c = 0; c < OWN; c++) {
                    sum[r][c] += a[r] * b[c];
                }
            }
        }
        __syncthreads(); // all have used them
    }
    for (unsigned r = 0; r < OWN; r++) {
        for (unsigned c = 0; c < OWN; c++) {
            const size_t row = first_row + y + r * SIDE, col = first_col + x + c * SIDE;
            if (row < rows && col < cols) {
                d_out[row * cols + col] = sum[r][c];
            }
        }
    }
}

static cudaError_t launch(const float *d_a, const float *d_b, float *d_out, const size_t *size,
                          cudaStream_t stream)
{
    const size_t tiles = (size[0] + TILE - 1) / TILE * ((size[2] + TILE - 1) / TILE);
    if (tiles > 0) {
        product_kernel<<<tiles, BLOCK_SIZE, 0, stream>>>(d_a, d_b, d_out, size[0], size[1],
                                                         size[2]);
    }
    return cudaGetLastError();
}
// --- exercise
// <<<

// The entry that the grader calls. With d_work == NULL it asks how many bytes of scratch you need.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    // >>> solution
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    return launch((const float *)d_in[0], (const float *)d_in[1], (float *)d_out[0], size, stream);
    // --- exercise
    // if (d_work == NULL) {
    //     *work_bytes = 0;
    //     return cudaSuccess;
    // }
    // return cudaGetLastError();
    // <<<
}
