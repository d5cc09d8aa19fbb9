// SPDX-License-Identifier: MIT
//
// block_scan.cuh - BlockScan<T, X, ALGORITHM, Y, Z>: sums of all threads up to each one.
#ifndef SIMT_CUB_BLOCK_SCAN_CUH
#define SIMT_CUB_BLOCK_SCAN_CUH

#include "../simt_ops.cuh"

namespace cub
{

// Named, but there is one algorithm here.
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
struct BlockScan {
    using shape = simt_detail::block_shape<X, Y, Z>;
    static constexpr int BlockThreads = X * Y * Z;
    struct TempStorage {
        simt_detail::slots<T, BlockThreads> slot;
    };
    TempStorage &storage;
    __device__ __forceinline__ explicit BlockScan(TempStorage &s) : storage(s) {}

    // The last read is that of the slot before, as in CUB, where each warp reads what the others
    // have left: who uses the storage again without a barrier races with it.
    template <typename Op>
    __device__ __forceinline__ void InclusiveScan(T value, T &result, Op op)
    {
        const int tid = shape::thread();
        scan(value, op);
        result = tid > 0 ? op(storage.slot[tid - 1], value) : value;
    }
    template <typename Op>
    __device__ __forceinline__ void InclusiveScan(T value, T &result, Op op, T &total)
    {
        InclusiveScan(value, result, op);
        total = storage.slot[BlockThreads - 1];
    }
    template <typename Op>
    __device__ __forceinline__ void ExclusiveScan(T value, T &result, T initial, Op op)
    {
        const int tid = shape::thread();
        scan(value, op);
        result = tid > 0 ? op(initial, storage.slot[tid - 1]) : initial;
    }
    template <typename Op>
    __device__ __forceinline__ void ExclusiveScan(T value, T &result, T initial, Op op, T &total)
    {
        ExclusiveScan(value, result, initial, op);
        total = storage.slot[BlockThreads - 1];
    }

    __device__ __forceinline__ void InclusiveSum(T value, T &result)
    {
        InclusiveScan(value, result, cub::Sum());
    }
    __device__ __forceinline__ void InclusiveSum(T value, T &result, T &total)
    {
        InclusiveScan(value, result, cub::Sum(), total);
    }
    __device__ __forceinline__ void ExclusiveSum(T value, T &result)
    {
        ExclusiveScan(value, result, T(), cub::Sum());
    }
    __device__ __forceinline__ void ExclusiveSum(T value, T &result, T &total)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), total);
    }

    // Several items for each thread, in order.
    template <int Items>
    __device__ __forceinline__ void InclusiveSum(T (&in)[Items], T (&out)[Items])
    {
        ExclusiveSum(in, out, in);
    }
    template <int Items>
    __device__ __forceinline__ void ExclusiveSum(T (&in)[Items], T (&out)[Items])
    {
        T none[Items] = {};
        ExclusiveSum(in, out, none);
    }

  private:
    // In each step a thread adds the value `d` threads before it: d is 1, 2, 4, ...
    template <typename Op>
    __device__ __forceinline__ void scan(T value, Op op)
    {
        const int tid = shape::thread();
        shape::check();
        storage.slot[tid] = value;
        __syncthreads();
        for (int d = 1; d < BlockThreads; d *= 2) {
            if (tid >= d)
                value = op(storage.slot[tid - d], value);
            __syncthreads();
            storage.slot[tid] = value;
            __syncthreads();
        }
    }
    // out[i] = all before item i, plus own[i].
    template <int Items>
    __device__ __forceinline__ void ExclusiveSum(T (&in)[Items], T (&out)[Items], T (&own)[Items])
    {
        T sum = in[0], before;
        for (int i = 1; i < Items; i++)
            sum = sum + in[i];
        ExclusiveSum(sum, before);
        for (int i = 0; i < Items; i++) {
            const T item = in[i], mine = own[i];
            out[i] = before + mine;
            before = before + item;
        }
    }
};

} // namespace cub

#endif
