// SPDX-License-Identifier: MIT
// Fault: blocks of 100 threads, and the number of warps is rounded down: what threads 96 to 99 hold
// is lost. Shows for cols > 96.
// Cause: row 0: elements 96 to 99, 196 to 199
#include "rows.cuh"

#define BLOCK_SIZE 100

__device__ float warp_reduce(float value)
{
    const unsigned mask = __activemask(); // the lanes that exist
    const unsigned lane = threadIdx.x % WARP_SIZE;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const float other = __shfl_down_sync(mask, value, offset);
        value += mask >> lane >> offset & 1 ? other : 0.0f;
    }
    return value;
}

// One block a row.
__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    __shared__ float s_warp[WARP_SIZE];
    const float *d_row = d_in + blockIdx.x * cols;
    const unsigned lane = threadIdx.x % WARP_SIZE;
    float value = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += BLOCK_SIZE) {
        value += d_row[k];
    }
    value = warp_reduce(value);
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    value = threadIdx.x < BLOCK_SIZE / WARP_SIZE ? s_warp[lane] : 0.0f;
    value = warp_reduce(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: the last, partial warp of a block is lost",
                                .rows = {{launch_rows<float, rows_kernel, BLOCK_SIZE>}}};
