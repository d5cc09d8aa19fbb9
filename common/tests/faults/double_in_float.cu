// SPDX-License-Identifier: MIT
// Fault: f64 is added in f32, as a forgotten suffix or type does. Shows if a sum needs more
// than 24 bits.
// Cause: only about 7 digits
#include "reduce.cuh"

__global__ void reduce_kernel(const double *d_in, double *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? (float)d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: f64 added in f32",
                                .reduce = {{}, {launch_passes<double, reduce_kernel>}}};
