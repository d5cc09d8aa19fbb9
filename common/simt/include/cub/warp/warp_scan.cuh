// SPDX-License-Identifier: MIT
//
// warp_scan.cuh - WarpScan<T, Lanes>: sums of all lanes up to each one.
#ifndef SIMT_CUB_WARP_SCAN_CUH
#define SIMT_CUB_WARP_SCAN_CUH

#include "../simt_ops.cuh"

namespace cub
{

template <typename T, int Lanes = 32>
struct WarpScan {
    struct TempStorage {
    };
    __device__ explicit WarpScan(TempStorage &) {}

    template <typename Op>
    __device__ void InclusiveScan(T value, T &result, Op op)
    {
        const int lane = simt_detail::thread_number() % Lanes;
        for (int d = 1; d < Lanes; d *= 2) {
            const T before = shuffled(SIMT_SHFL_UP, value, d);
            if (lane >= d)
                value = op(before, value);
        }
        result = value;
    }
    template <typename Op>
    __device__ void ExclusiveScan(T value, T &result, T initial, Op op)
    {
        InclusiveScan(value, value, op);
        const T before = shuffled(SIMT_SHFL_UP, value, 1);
        result = simt_detail::thread_number() % Lanes > 0 ? op(initial, before) : initial;
    }
    __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __device__ void InclusiveSum(T value, T &result, T &total)
    {
        InclusiveScan(value, result, cub::Sum());
        total = shuffled(SIMT_SHFL_IDX, result, Lanes - 1);
    }
    __device__ void ExclusiveSum(T value, T &result)
    {
        ExclusiveScan(value, result, T(), cub::Sum());
    }

  private:
    __device__ __forceinline__ T shuffled(simt_op op, T value, int arg)
    {
        return simt::shuffle_any(op, simt_detail::group_mask<Lanes>(), value, arg, Lanes,
                                 __builtin_LINE());
    }
};

} // namespace cub

#endif
