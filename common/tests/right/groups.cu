// SPDX-License-Identifier: MIT
//
// Group: right
// Case: groups - cooperative groups. A tile of 32 lanes reduces, then a tile of as many as there
// are warps.
// Full: $BUILD/right/groups --check
#include "right.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;
#define WARPS (BLOCK_SIZE / WARP_SIZE)

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_warp[WARPS];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<WARP_SIZE> warp = cg::tiled_partition<WARP_SIZE>(block);

    T value = cg::reduce(warp, share<T, Op>(d_in, n), Op());
    if (warp.thread_rank() == 0) {
        s_warp[warp.meta_group_rank()] = value;
    }
    block.sync(); // the results of all warps are in place
    const cg::thread_block_tile<WARPS> first = cg::tiled_partition<WARPS>(block);
    if (first.meta_group_rank() == 0) {
        value = cg::reduce(first, s_warp[first.thread_rank()], Op());
    }
    if (block.thread_rank() == 0) {
        d_out[blockIdx.x] = value;
    }
}

template <typename T, typename Op>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T, Op>, GRID_SIZE, BLOCK_SIZE>;

STEP("cooperative groups", launch);
