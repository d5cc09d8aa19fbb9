// SPDX-License-Identifier: MIT
//
// block_reduce.cuh - BlockReduce<T, X, ALGORITHM, Y, Z>: the result is valid in thread 0.
#ifndef SIMT_CUB_BLOCK_REDUCE_CUH
#define SIMT_CUB_BLOCK_REDUCE_CUH

#include "../simt_ops.cuh"

namespace cub
{

// Named, but there is one algorithm here.
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};

// A tree in shared memory, for any number of threads and any type. It combines neighbours first, so
// that the operator need not be commutative. Only thread 0 gets the result. In CUB it reads what
// all warps have left, last of all: so here the others read the slot of another warp, and who uses
// the storage again without a barrier races with them.
template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
struct BlockReduce {
    using shape = simt_detail::block_shape<X, Y, Z>;
    static constexpr int BlockThreads = X * Y * Z;
    struct TempStorage {
        simt_detail::slots<T, BlockThreads> slot;
    };
    TempStorage &storage;
    __device__ __forceinline__ explicit BlockReduce(TempStorage &s) : storage(s) {}

    template <typename Op>
    __device__ __forceinline__ T Reduce(T value, Op op, int valid = BlockThreads)
    {
        const int tid = shape::thread();
        shape::check(valid);
        storage.slot[tid] = value;
        __syncthreads();
        for (int d = 1; d < valid; d *= 2) {
            if (tid % (2 * d) == 0 && tid + d < valid)
                storage.slot[tid] = op(storage.slot[tid], storage.slot[tid + d]);
            __syncthreads();
        }
        const bool other = tid > 0 && (tid ^ 32) < valid;
        return storage.slot[other ? tid ^ 32 : tid];
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
