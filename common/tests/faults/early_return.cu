// SPDX-License-Identifier: MIT
// Fault: threads without an element return before the shuffles and the barrier, and the sums of
// their warps stay unwritten. Shows for every n: the second pass has 8 elements for 256 threads.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    if (i >= n) {
        return;
    }

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: threads return before the barrier",
                                .reduce = {{launch_grid<reduce_kernel>}}};
