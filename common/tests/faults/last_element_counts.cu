// SPDX-License-Identifier: MIT
// Fault: the loop assigns where it should add, so only the last element of each thread counts.
// Shows for n > 2048, the size of the grid.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value = d_in[k];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: assigns where it should add",
                                .reduce = {{launch_grid<reduce_kernel>}}};
