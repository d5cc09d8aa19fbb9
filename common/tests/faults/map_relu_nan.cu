// SPDX-License-Identifier: MIT
// Fault: fmaxf(x, 0) is 0 where x is NaN. Shows if an element is NaN.
// Cause: where an input is NaN
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        d_out[k] = fmaxf(d_in[k], 0.0f);
    }
}

extern "C" const step_t step = {.summary = "fault: relu by fmaxf",
                                .map = {{launch_map<float, float, map_kernel>}}};
