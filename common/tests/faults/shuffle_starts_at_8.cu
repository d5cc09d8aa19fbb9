// SPDX-License-Identifier: MIT
// Fault: the offsets of the shuffles start at 8, so lanes 16 to 31 are lost. Shows for n > 16.
#include "reduce.cuh"

__device__ float wrong_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 4; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = block_warps<wrong_sum>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: shuffles start at offset 8",
                                .reduce = {{launch_grid<reduce_kernel>}}};
