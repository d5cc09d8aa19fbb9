// SPDX-License-Identifier: MIT
// Control: no fault. One element at a time, relu and its NaN kept.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        d_out[k] = d_in[k] < 0.0f ? 0.0f : d_in[k];
    }
}

extern "C" const step_t step = {.summary = "control: relu",
                                .map = {{launch_map<float, float, map_kernel>}}};
