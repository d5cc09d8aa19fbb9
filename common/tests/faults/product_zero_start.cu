// SPDX-License-Identifier: MIT
// Fault: a product starts at 0, the identity of a sum: whatever the elements are, it is 0.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float product = block_tree<float, prod_op<float>>(i < n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = product;
    }
}

extern "C" const step_t step = {
    .summary = "fault: a product starts at 0",
    .reduce = {{NULL, NULL, NULL, launch_passes<float, reduce_kernel>}}};
