// SPDX-License-Identifier: MIT
// Fault: the shuffles run in two halves of 16 lanes, so lane 0 never sees lane 16 and gets its own
// value instead. Shows if the sum is not 0.
// Cause: elements 16 to 31 are missing
#include "reduce.cuh"

__device__ float wrong_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset, 16); // two halves
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

extern "C" const step_t step = {.summary = "fault: shuffles 16 lanes wide",
                                .reduce = {{launch_grid<reduce_kernel>}}};
