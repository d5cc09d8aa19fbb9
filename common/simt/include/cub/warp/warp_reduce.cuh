// SPDX-License-Identifier: MIT
//
// warp_reduce.cuh - WarpReduce<T, Lanes>: the result is valid in lane 0.
#ifndef SIMT_CUB_WARP_REDUCE_CUH
#define SIMT_CUB_WARP_REDUCE_CUH

#include "../simt_ops.cuh"

namespace cub
{

// Lanes at or past `valid` take no part, and need not exist: nobody reads from them.
template <typename T, int Lanes = 32>
struct WarpReduce {
    struct TempStorage {
    };
    __device__ __forceinline__ explicit WarpReduce(TempStorage &) {}

    template <typename Op>
    __device__ __forceinline__ T Reduce(T value, Op op, int valid = Lanes)
    {
        const int lane = simt_detail::thread_number() % Lanes;
        const unsigned mask = simt_detail::group_mask<Lanes>();
        for (int d = 1; d < Lanes; d *= 2) { // neighbours first: `op` need not be commutative
            const bool reads = lane + d < valid;
            const T other = simt::shuffle_any(SIMT_SHFL_DOWN, mask, value, reads ? d : 0, Lanes,
                                              __builtin_LINE());
            if (reads)
                value = op(value, other);
        }
        return value;
    }
    __device__ __forceinline__ T Sum(T value, int valid = Lanes)
    {
        return Reduce(value, cub::Sum(), valid);
    }
};

} // namespace cub

#endif
