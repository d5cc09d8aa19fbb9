// SPDX-License-Identifier: MIT
// Fault (cpu): no barrier before the store of the warps' results, and a block reduces several rows:
// a warp may store its result of the next row while warp 0 still reads those of this one. On a GPU
// the result is right most of the time; the emulator sees the race. Shows for rows > 2.
#include "rows.cuh"

#define BLOCK_SIZE 128
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define GRID_SIZE 2

__device__ float block_reduce(float value)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;

    value = warp_sum(value);
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    value = threadIdx.x < WARPS ? s_warp[lane] : 0.0f;
    return warp_sum(value);
}

__global__ void rows_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    for (size_t row = blockIdx.x; row < rows; row += GRID_SIZE) {
        float value = 0.0f;
        for (size_t k = threadIdx.x; k < cols; k += BLOCK_SIZE) {
            value += d_in[row * cols + k];
        }
        value = block_reduce(value);
        if (threadIdx.x == 0) {
            d_out[row] = value;
        }
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    rows_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, rows,
                                                      cols);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: two block reductions in a row race",
                                .rows = {{launch}}};
