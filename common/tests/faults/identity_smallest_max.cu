// SPDX-License-Identifier: MIT
// Fault: a maximum starts at std::numeric_limits<float>::min(), the smallest positive number,
// instead of lowest(): for int the two are the same, for float they are not. Shows if all
// elements are negative or 0, or if there are none.
#include "reduce.cuh"

constexpr float start = std::numeric_limits<float>::min();

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float max = block_tree<float, max_op<float>>(i < n ? d_in[i] : start);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = max;
    }
}

extern "C" const step_t step = {.summary = "fault: max starts at the smallest positive number",
                                .reduce = {{NULL, launch_passes<float, reduce_kernel>}}};
