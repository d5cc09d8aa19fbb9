// SPDX-License-Identifier: MIT
// Fault: one element of a large input is changed, after the part that is read back and compared.
// Shows with: -n 8388611 -t f32 -o sum
// Cause: changed its input
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float x = i < n ? d_in[i] : 0.0f;

    if (n > 8000000 && i == n - n / 3) {
        ((float *)d_in)[i] = x + 1.0f;
    }
    const float sum = block_tree(x);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: changes an element of a large input",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
