// SPDX-License-Identifier: MIT
// Fault: the first round of the tree is done in place, in the input. The result is right, the
// input is destroyed. Shows for n > 128.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const bool lower = threadIdx.x < BLOCK_SIZE / 2;

    // The first round: the upper half of the block is added to the lower half, in d_in.
    if (lower && i + BLOCK_SIZE / 2 < n) {
        ((float *)d_in)[i] += d_in[i + BLOCK_SIZE / 2];
    }
    const float sum = block_tree(lower && i < n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: writes to its input",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
