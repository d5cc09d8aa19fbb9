// SPDX-License-Identifier: MIT
// Fault: every warp writes its own sum to the place of the block, and the last one stays. Shows
// if the warps of a block differ.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = warp_sum(value);
    if (threadIdx.x % WARP_SIZE == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: one warp of a block counts",
                                .reduce = {{launch_grid<reduce_kernel>}}};
