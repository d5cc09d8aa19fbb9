// SPDX-License-Identifier: MIT
// Fault: the partials are rounded to 11 bits of mantissa (f16). Shows for values that are not
// small integers.
// Cause: only about 3 digits
#include <cuda_fp16.h>

#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = (float)(half)sum;
    }
}

extern "C" const step_t step = {.summary = "fault: partials rounded to f16",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
