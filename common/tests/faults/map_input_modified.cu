// SPDX-License-Identifier: MIT
// Fault: relu is done in place and then copied. The output is right, the input is destroyed. Shows
// if an element is negative.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        if (d_in[k] < 0.0f) {
            ((float *)d_in)[k] = 0.0f;
        }
        d_out[k] = d_in[k];
    }
}

extern "C" const step_t step = {.summary = "fault: writes to its input",
                                .map = {{launch_map<float, float, map_kernel>}}};
