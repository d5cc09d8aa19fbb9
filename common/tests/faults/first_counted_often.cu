// SPDX-License-Identifier: MIT
// Fault: every thread starts from d_in[0], a trick that is right for a maximum only. Shows if
// the first element is not 0.
// Cause: element 0 is counted 67841 times
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = n > 0 ? d_in[0] : 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: every thread starts from the first element",
                                .reduce = {{launch_grid<reduce_kernel>}}};
