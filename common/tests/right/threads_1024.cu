// SPDX-License-Identifier: MIT
//
// Group: right
// Case: threads_1024 - blocks of 1024 threads, the maximum.
// Full: $BUILD/right/threads_1024 --check
#include "right.cuh"

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, grid_kernel<T, Op, 1024>, GRID_SIZE, 1024>;

STEP("1024 threads", launch);
