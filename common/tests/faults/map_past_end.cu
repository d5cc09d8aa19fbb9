// SPDX-License-Identifier: MIT
// Fault: k <= n also writes the element after the last one. Shows for every n.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k <= n; k += threads) {
        const float x = k < n ? d_in[k] : 0.0f;
        d_out[k] = x < 0.0f ? 0.0f : x;
    }
}

extern "C" const step_t step = {.summary = "fault: writes past the end",
                                .map = {{launch_map<float, float, map_kernel>}}};
