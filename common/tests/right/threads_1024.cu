// SPDX-License-Identifier: MIT
//
// Group: right
// Case: threads_1024 - blocks of 1024 threads, the maximum.
// Full: $BUILD/right/threads_1024 --check
#include "right.cuh"

template <typename T, typename Op>
__global__ void __launch_bounds__(1024) reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const Op op;
    const size_t threads = (size_t)gridDim.x * 1024;

    T value = Op::identity();
    for (size_t k = (size_t)blockIdx.x * 1024 + threadIdx.x; k < n; k += threads) {
        value = op(value, d_in[k]);
    }
    value = block_tree<T, Op, 1024>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T, Op>, GRID_SIZE, 1024>;

STEP("1024 threads", launch);
