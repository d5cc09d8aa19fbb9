// SPDX-License-Identifier: MIT
// Fault: a < b ? a : b keeps a NaN on the right and loses one on the left. Shows if an element
// of the lower half of a block is NaN.
#include "reduce.cuh"

struct smaller_op {
    __device__ float operator()(float a, float b) const { return a < b ? a : b; }
};

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float min = block_tree<float, smaller_op>(i < n ? d_in[i] : INFINITY);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = min;
    }
}

extern "C" const step_t step = {.summary = "fault: min by a comparison alone",
                                .reduce = {{NULL, NULL, launch_passes<float, reduce_kernel>}}};
