// SPDX-License-Identifier: MIT
// Fault: places without an element hold 0, which is larger than any negative number. Shows if
// all elements are negative and a block is not full.
// Cause: 0 is not an element, yet it wins: the identity of max is -inf
#include "reduce.cuh"

template <typename T>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const T max = block_tree<T, max_op<T>>(i < n ? d_in[i] : T(0));
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = max;
    }
}

extern "C" const step_t step = {.summary = "fault: 0 as the identity of max",
                                .reduce = {{NULL, launch_passes<float, reduce_kernel<float>>},
                                           {},
                                           {NULL, launch_passes<int, reduce_kernel<int>>}}};
