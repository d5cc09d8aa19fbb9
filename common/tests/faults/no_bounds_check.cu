// SPDX-License-Identifier: MIT
// Fault: no bounds check at all: every thread loads. Shows if the last block of a pass is not
// full.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(d_in[i]);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: no bounds check",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
