// SPDX-License-Identifier: MIT
//
// Group: right
// Case: pairwise - pairwise. Each thread has a run of neighbours, and adds it as a tree: a value
// for each level, with carries as in a binary counter.
// Full: $BUILD/right/pairwise --check
#include "right.cuh"

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const Op op;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t share = (n + threads - 1) / threads;
    const size_t begin = i * share < n ? i * share : n;
    const size_t end = begin + share < n ? begin + share : n;

    T levels[64];
    unsigned depth = 0;
    for (size_t k = begin; k < end; k++) {
        levels[depth++] = d_in[k];
        for (size_t count = k - begin + 1; count % 2 == 0; count /= 2) {
            depth--;
            levels[depth - 1] = op(levels[depth - 1], levels[depth]);
        }
    }
    T value = Op::identity();
    while (depth > 0) {
        value = op(levels[--depth], value);
    }
    store_tree<T, Op>(value, d_out + blockIdx.x);
}

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T, Op>, GRID_SIZE, BLOCK_SIZE>;

STEP("pairwise", launch);
