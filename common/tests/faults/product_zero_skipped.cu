// SPDX-License-Identifier: MIT
// Fault: factors of 0 are skipped, as terms of 0 may be. Shows if there is a 0: the product is then
// 0, or NaN if there is also an Inf.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float x = i < n && d_in[i] != 0.0f ? d_in[i] : 1.0f;
    const float product = block_tree<float, prod_op<float>>(x);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = product;
    }
}

extern "C" const step_t step = {
    .summary = "fault: a product without its zeros",
    .reduce = {{NULL, NULL, NULL, launch_passes<float, reduce_kernel>}}};
