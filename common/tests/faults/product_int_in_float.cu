// SPDX-License-Identifier: MIT
// Fault: integers are multiplied as floats, which hold 24 bits and do not wrap. Shows if a
// partial product passes 2^24: with three factors or so.
#include "reduce.cuh"

__global__ void reduce_kernel(const int *d_in, int *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float product = block_tree<float, prod_op<float>>(i < n ? (float)d_in[i] : 1.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = __float2int_rz(product);
    }
}

extern "C" const step_t step = {
    .summary = "fault: i32 multiplied in f32",
    .reduce = {{}, {}, {NULL, NULL, NULL, launch_passes<int, reduce_kernel>}}};
