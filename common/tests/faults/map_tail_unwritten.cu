// SPDX-License-Identifier: MIT
// Fault: each thread does four elements at a time and no thread writes the last n % 4. Shows for
// every n that is not a multiple of 4.
// Cause: the last 3 elements of 4099 are not written
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t first = 4 * i; first + 3 < n; first += 4 * threads) {
        for (size_t k = first; k < first + 4; k++) {
            d_out[k] = d_in[k] < 0.0f ? 0.0f : d_in[k];
        }
    }
}

extern "C" const step_t step = {.summary = "fault: the last n % 4 outputs are not written",
                                .map = {{launch_map<float, float, map_kernel>}}};
