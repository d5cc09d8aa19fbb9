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
    store_tree<T, Op, THREADS>(share<T, Op>(d_in, n), d_out + blockIdx.x);
}

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T, Op>, 1056, THREADS>;

STEP("1056 blocks", launch);
