// SPDX-License-Identifier: MIT
//
// Group: right
// Case: kahan - each thread adds its share as Kahan does, and keeps the rounding error. Inf - Inf
// would make that NaN, so an infinite sum has no rest. Sums of floats alone.
// Full: $BUILD/right/kahan --check
#include "right.cuh"

template <typename T>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;

    T sum = 0, rest = 0; // the exact sum is sum - rest
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += threads) {
        const T next = d_in[k] - rest;
        const T larger = sum + next;
        rest = larger - sum - next;
        rest = rest - rest == 0 ? rest : 0;
        sum = larger;
    }
    store_tree<T, sum_op<T>>(sum, d_out + blockIdx.x);
}

extern "C" const step_t step = {
    .summary = "right: sums by Kahan",
    .reduce = {{launch_twice<float, reduce_kernel<float>, GRID_SIZE, BLOCK_SIZE>},
               {launch_twice<double, reduce_kernel<double>, GRID_SIZE, BLOCK_SIZE>}}};
