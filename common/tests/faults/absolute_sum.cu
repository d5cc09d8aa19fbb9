// SPDX-License-Identifier: MIT
// Fault: adds absolute values. Shows if an element is negative.
// Cause: this is the sum of |x|
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? fabsf(d_in[i]) : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: sum of absolute values",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
