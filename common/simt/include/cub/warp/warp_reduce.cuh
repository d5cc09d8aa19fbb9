// SPDX-License-Identifier: MIT
//
// warp_reduce.cuh - WarpReduce<T, LANES>: the result is valid in lane 0.
#ifndef SIMT_CUB_WARP_REDUCE_CUH
#define SIMT_CUB_WARP_REDUCE_CUH

#include "../simt_ops.cuh"

namespace cub
{

// Lanes at or past `valid` take no part, and need not exist: nobody reads from them.
template <typename T, int LANES = 32>
struct WarpReduce {
    struct TempStorage {
    };
    __device__ explicit WarpReduce(TempStorage &) {}

    template <typename Op>
    __device__ T Reduce(T value, Op op, int valid = LANES)
    {
        const int lane = simt_detail::thread_number() % LANES;
        const unsigned mask = simt_detail::group_mask<LANES>();
        for (int d = 1; d < LANES; d *= 2) { // neighbours first: `op` need not be commutative
            const bool reads = lane + d < valid;
            const T other = __shfl_down_sync(mask, value, reads ? (unsigned)d : 0u, LANES);
            if (reads)
                value = op(value, other);
        }
        return value;
    }
    __device__ T Sum(T value, int valid = LANES) { return Reduce(value, cub::Sum(), valid); }
};

} // namespace cub

#endif
