// SPDX-License-Identifier: MIT
// Fault: the last line, which writes the result, is missing for a single block. The output keeps
// its old contents. Shows for every n.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0 && gridDim.x > 1) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: the output is never written",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
