// SPDX-License-Identifier: MIT
//
// block_reduce.cuh - BlockReduce<T, X, ALGORITHM, Y, Z>: the result is valid in thread 0.
#ifndef SIMT_CUB_BLOCK_REDUCE_CUH
#define SIMT_CUB_BLOCK_REDUCE_CUH

#include "../warp/warp_reduce.cuh"

namespace cub
{

// Named, but there is one algorithm here.
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};

// As CUB's default: the lanes of each warp join their values by shuffles, and thread 0 joins what
// the warps have left, in their order, so that the operator need not be commutative. Only thread 0
// gets the result. Who uses the storage again without a barrier races with its reads.
template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
struct BlockReduce {
    using shape = simt_detail::block_shape<X, Y, Z>;
    static constexpr int BlockThreads = X * Y * Z;
    struct TempStorage {
        simt_detail::slots<T, (BlockThreads + 31) / 32> warp;
    };
    TempStorage &storage;
    __device__ __forceinline__ explicit BlockReduce(TempStorage &s) : storage(s) {}

    template <typename Op>
    __device__ __forceinline__ T Reduce(T value, Op op, int valid = BlockThreads)
    {
        const int tid = shape::thread();
        shape::check(valid);
        typename WarpReduce<T>::TempStorage none;
        value = WarpReduce<T>(none).Reduce(value, op, valid - tid / 32 * 32);
        if (tid % 32 == 0)
            storage.warp[tid / 32] = value;
        __syncthreads();
        for (int w = 1; tid == 0 && w * 32 < valid; w++)
            value = op(value, storage.warp[w]);
        return value;
    }
    // Several items per thread.
    template <int Items, typename Op>
    __device__ __forceinline__ T Reduce(T (&items)[Items], Op op)
    {
        T value = items[0];
        for (int i = 1; i < Items; i++)
            value = op(value, items[i]);
        return Reduce(value, op);
    }
    __device__ __forceinline__ T Sum(T value, int valid = BlockThreads)
    {
        return Reduce(value, cub::Sum(), valid);
    }
    template <int Items>
    __device__ __forceinline__ T Sum(T (&items)[Items])
    {
        return Reduce(items, cub::Sum());
    }
};

} // namespace cub

#endif
