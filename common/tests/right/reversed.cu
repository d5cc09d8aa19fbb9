// SPDX-License-Identifier: MIT
//
// Group: right
// Case: reversed - from the last element to the first, by threads that count down as well.
// Full: $BUILD/right/reversed --check
#include "right.cuh"

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;

    T value = Op::identity();
    for (size_t k = i; k < n; k += threads) {
        value = Op()(d_in[n - 1 - k], value);
    }
    store_tree<T, Op>(value, d_out + gridDim.x - 1 - blockIdx.x);
}

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T, Op>, GRID_SIZE, BLOCK_SIZE>;

STEP("reversed", launch);
