// SPDX-License-Identifier: MIT
// Fault: a product as 2 to the sum of log2 |x|, a trick against overflow: the sign is lost.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? log2f(fabsf(d_in[i])) : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = exp2f(sum);
    }
}

extern "C" const step_t step = {
    .summary = "fault: a product without signs",
    .reduce = {{NULL, NULL, NULL, launch_passes<float, reduce_kernel>}}};
