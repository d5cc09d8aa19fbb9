// SPDX-License-Identifier: MIT
// Fault: the number of elements passes through 16 bits. Shows for n > 65535.
// Shows with: -n 65537 -t f32 -o sum
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const unsigned short count = (unsigned short)n;
    const float sum = block_tree(i < count ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: n in 16 bits",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
