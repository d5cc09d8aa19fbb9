// SPDX-License-Identifier: MIT
//
// Group: right
// Case: fixed_grid - always 1056 blocks, eight for each SM of an H200, even for n = 0.
// All pairs at a few sizes, and one at all of them: the blocks are the same for each.
// Full: $BUILD/right/fixed_grid --check --quick
// Full: $BUILD/right/fixed_grid --check -t f32 -o sum
#include "right.cuh"

enum { THREADS = 64 };

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t threads = (size_t)gridDim.x * THREADS;

    T value = Op::identity();
    for (size_t k = (size_t)blockIdx.x * THREADS + threadIdx.x; k < n; k += threads) {
        value = Op()(value, d_in[k]);
    }
    value = block_tree<T, Op, THREADS>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T, Op>, 1056, THREADS>;

STEP("1056 blocks", launch);
