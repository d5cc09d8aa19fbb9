// SPDX-License-Identifier: MIT
// Fault: i <= n reads the element after the last one. Shows if the last block of a pass is not
// full.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i <= n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: reads one element past the end",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
