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
    static constexpr int THREADS = X * Y * Z;
    struct TempStorage {
        simt_detail::slots<T, THREADS> slot;
    };
    TempStorage &storage;
    __device__ explicit BlockScan(TempStorage &s) : storage(s) {}

    // In each step a thread adds the value `d` threads before it: d is 1, 2, 4, ...
    template <typename Op>
    __device__ void InclusiveScan(T value, T &result, Op op)
    {
        const int tid = simt_detail::thread_number();
        storage.slot[tid] = value;
        __syncthreads();
        for (int d = 1; d < THREADS; d *= 2) {
            if (tid >= d)
                value = op(storage.slot[tid - d], value);
            __syncthreads();
            storage.slot[tid] = value;
            __syncthreads();
        }
        result = value;
    }
    template <typename Op>
    __device__ void InclusiveScan(T value, T &result, Op op, T &total)
    {
        InclusiveScan(value, result, op);
        total = storage.slot[THREADS - 1];
    }
    template <typename Op>
    __device__ void ExclusiveScan(T value, T &result, T initial, Op op)
    {
        const int tid = simt_detail::thread_number();
        InclusiveScan(value, value, op);
        result = tid > 0 ? op(initial, storage.slot[tid - 1]) : initial;
    }
    template <typename Op>
    __device__ void ExclusiveScan(T value, T &result, T initial, Op op, T &total)
    {
        ExclusiveScan(value, result, initial, op);
        total = storage.slot[THREADS - 1];
    }

    __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __device__ void InclusiveSum(T value, T &result, T &total)
    {
        InclusiveScan(value, result, cub::Sum(), total);
    }
    __device__ void ExclusiveSum(T value, T &result)
    {
        ExclusiveScan(value, result, T(), cub::Sum());
    }
    __device__ void ExclusiveSum(T value, T &result, T &total)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), total);
    }

    // Several items for each thread, in order.
    template <int ITEMS>
    __device__ void InclusiveSum(T (&in)[ITEMS], T (&out)[ITEMS])
    {
        ExclusiveSum(in, out, in);
    }
    template <int ITEMS>
    __device__ void ExclusiveSum(T (&in)[ITEMS], T (&out)[ITEMS])
    {
        T none[ITEMS] = {};
        ExclusiveSum(in, out, none);
    }

  private:
    // out[i] = all before item i, plus own[i].
    template <int ITEMS>
    __device__ void ExclusiveSum(T (&in)[ITEMS], T (&out)[ITEMS], T (&own)[ITEMS])
    {
        T sum = in[0], before;
        for (int i = 1; i < ITEMS; i++)
            sum = sum + in[i];
        ExclusiveSum(sum, before);
        for (int i = 0; i < ITEMS; i++) {
            const T item = in[i], mine = own[i];
            out[i] = before + mine;
            before = before + item;
        }
    }
};

} // namespace cub

#endif
