// SPDX-License-Identifier: MIT
// Fault: fmaxf takes the other operand if one is NaN, so the maximum loses a NaN. Shows if an
// element is NaN.
// Cause: a NaN is lost
#include "reduce.cuh"

struct fmaxf_op {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float max = block_tree<float, fmaxf_op>(i < n ? d_in[i] : -INFINITY);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = max;
    }
}

extern "C" const step_t step = {.summary = "fault: max by fmaxf",
                                .reduce = {{NULL, launch_passes<float, reduce_kernel>}}};
