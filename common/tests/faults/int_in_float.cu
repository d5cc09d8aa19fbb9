// SPDX-License-Identifier: MIT
// Fault: integers are added as floats, which hold 24 bits. Shows if a partial sum passes 2^24,
// and if the sum wraps.
// Cause: a float holds 24
#include "reduce.cuh"

__global__ void reduce_kernel(const int *d_in, int *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? (float)d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = (int)sum;
    }
}

extern "C" const step_t step = {.summary = "fault: i32 added in f32",
                                .reduce = {{}, {}, {launch_passes<int, reduce_kernel>}}};
