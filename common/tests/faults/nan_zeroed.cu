// SPDX-License-Identifier: MIT
// Fault: a NaN counts as 0, so the sum looks right. Shows if an element is NaN.
// Cause: a NaN among the elements
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float x = i < n ? d_in[i] : 0.0f;
    const float sum = block_tree(x == x ? x : 0.0f); // NaN alone differs from itself
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: a NaN counts as 0",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
