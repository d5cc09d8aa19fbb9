// SPDX-License-Identifier: MIT
// Fault: elements 2 and 3 of each pack of four are swapped in the output. Shows for n > 3.
// Cause: in each other's places
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t first = 4 * i; first < n; first += 4 * threads) {
        for (size_t k = first; k < first + 4 && k < n; k++) {
            const size_t other = k % 4 < 2 ? k : k ^ 1; // 0, 1, 3, 2
            const float x = d_in[other < n ? other : k];
            d_out[k] = x < 0.0f ? 0.0f : x;
        }
    }
}

extern "C" const step_t step = {.summary = "fault: a pack stored in the wrong order",
                                .map = {{launch_map<float, float, map_kernel>}}};
