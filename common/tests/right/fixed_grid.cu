// SPDX-License-Identifier: MIT
//
// Group: right
// Case: fixed_grid - always 1056 blocks, eight for each SM of an H200, even for n = 0.
// All pairs at a few sizes, and one at all of them: the blocks are the same for each.
// Full: $BUILD/right/fixed_grid --check --quick
// Full: $BUILD/right/fixed_grid --check -t f32 -o sum
#include "right.cuh"

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, grid_kernel<T, Op, 64>, 1056, 64>;

STEP("1056 blocks", launch);
