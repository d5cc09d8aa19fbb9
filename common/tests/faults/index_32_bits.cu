// SPDX-License-Identifier: MIT
// Fault (gpu): the index of an element is an int, which ends at 2^31. Shows only for larger n; the
// emulator is not asked for so many.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const int i = (int)(blockIdx.x * BLOCK_SIZE + threadIdx.x);
    const float sum = block_tree(i < (int)n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

extern "C" const step_t step = {.summary = "fault: indices of 31 bits",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
