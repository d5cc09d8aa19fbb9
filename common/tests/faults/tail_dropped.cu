// SPDX-License-Identifier: MIT
// Fault: each thread takes four elements at a time and no thread takes the last n % 4. Shows for
// every n that is not a multiple of 4.
// Cause: the last 3 elements are missing
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = 4 * i; k + 3 < n; k += 4 * threads) {
        value += d_in[k] + d_in[k + 1] + d_in[k + 2] + d_in[k + 3];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: the last n % 4 elements are lost",
                                .reduce = {{launch_grid<reduce_kernel>}}};
