// SPDX-License-Identifier: MIT
// Fault: places without an element hold 0, which is smaller than any positive number. Shows if
// all elements are positive and a block is not full.
#include "reduce.cuh"

template <typename T>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const T min = block_tree<T, min_op<T>>(i < n ? d_in[i] : T(0));
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = min;
    }
}

extern "C" const step_t step = {.summary = "fault: 0 as the identity of min",
                                .reduce = {{NULL, NULL, launch_passes<float, reduce_kernel<float>>},
                                           {},
                                           {NULL, NULL, launch_passes<int, reduce_kernel<int>>}}};
