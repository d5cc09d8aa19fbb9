// SPDX-License-Identifier: MIT
// Control: no fault. A product as a tree: overflow, underflow, 0, Inf and NaN as in IEEE 754.
#include "reduce.cuh"

template <typename T>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const T product = block_tree<T, prod_op<T>>(i < n ? d_in[i] : prod_op<T>::identity());
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = product;
    }
}

extern "C" const step_t step = {
    .summary = "control: product",
    .reduce = {{NULL, NULL, NULL, launch_passes<float, reduce_kernel<float>>},
               {NULL, NULL, NULL, launch_passes<double, reduce_kernel<double>>},
               {NULL, NULL, NULL, launch_passes<int, reduce_kernel<int>>}}};
