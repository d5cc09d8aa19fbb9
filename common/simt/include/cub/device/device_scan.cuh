// SPDX-License-Identifier: MIT
//
// device_scan.cuh - DeviceScan: three passes, scratch by the usual two calls.
#ifndef SIMT_CUB_DEVICE_SCAN_CUH
#define SIMT_CUB_DEVICE_SCAN_CUH

#include <type_traits>

#include "../block/block_reduce.cuh"
#include "../block/block_scan.cuh"

namespace cub
{

namespace simt_detail
{

enum { SCAN_THREADS = 256 };

// Pass 1: the total of each block's items.
template <typename T, typename In, typename Op>
__global__ void scan_totals_kernel(In in, T *totals, size_t n, Op op)
{
    __shared__ typename BlockReduce<T, SCAN_THREADS>::TempStorage s_storage;
    const size_t first = (size_t)blockIdx.x * SCAN_THREADS, i = first + threadIdx.x;
    const size_t left = n - first;
    const T value = i < n ? (T)in[i] : (T)in[first];
    const T total = BlockReduce<T, SCAN_THREADS>(s_storage).Reduce(
        value, op, left < SCAN_THREADS ? (int)left : (int)SCAN_THREADS);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}

// Pass 2: the total before each block. One thread does it; block 0 starts from `initial`.
template <typename T, typename Op>
__global__ void scan_before_kernel(T *totals, size_t blocks, Op op, T initial, bool has_initial)
{
    T before = initial;
    for (size_t k = 0; k < blocks; k++) {
        const T total = totals[k];
        totals[k] = before;
        before = k == 0 && !has_initial ? total : op(before, total);
    }
}

// Pass 3: each item, combined with all before it.
template <typename T, typename In, typename Out, typename Op>
__global__ void scan_items_kernel(In in, Out out, const T *before, size_t n, Op op, bool inclusive,
                                  bool has_initial)
{
    __shared__ typename BlockScan<T, SCAN_THREADS>::TempStorage s_storage;
    const size_t first = (size_t)blockIdx.x * SCAN_THREADS, i = first + threadIdx.x;
    const bool any_before = blockIdx.x > 0 || has_initial;
    const T all = before[blockIdx.x];
    T value = i < n ? (T)in[i] : (T)in[first];
    BlockScan<T, SCAN_THREADS> scan(s_storage);
    if (inclusive) {
        scan.InclusiveScan(value, value, op);
        value = any_before ? op(all, value) : value;
    } else {
        scan.ExclusiveScan(value, value, all, op);
    }
    if (i < n)
        out[i] = value;
}

template <typename T, typename In, typename Out, typename Op>
cudaError_t scan(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, size_t n, Op op, T initial,
                 bool inclusive, bool has_initial, cudaStream_t stream)
{
    const size_t blocks = (n + SCAN_THREADS - 1) / SCAN_THREADS;
    const size_t temp_needed = scratch_bytes((blocks + 1) * sizeof(T));
    if (!d_temp) {
        temp_bytes = temp_needed;
        return cudaSuccess;
    }
    if (temp_bytes < temp_needed)
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    T *d_totals = scratch_start<T>(d_temp);
    scan_totals_kernel<T><<<blocks, SCAN_THREADS, 0, stream>>>(d_in, d_totals, n, op);
    scan_before_kernel<T><<<1, 1, 0, stream>>>(d_totals, blocks, op, initial, has_initial);
    scan_items_kernel<T>
        <<<blocks, SCAN_THREADS, 0, stream>>>(d_in, d_out, d_totals, n, op, inclusive, has_initial);
    return cudaPeekAtLastError();
}

} // namespace simt_detail

struct DeviceScan {
    template <typename In, typename Out, typename Op, typename Num>
    static cudaError_t InclusiveScan(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Op op,
                                     Num n, cudaStream_t stream = 0)
    {
        using T = std::decay_t<decltype(d_in[0])>;
        return simt_detail::scan(d_temp, temp_bytes, d_in, d_out, (size_t)n, op, T(), true, false,
                                 stream);
    }
    template <typename In, typename Out, typename Op, typename T, typename Num>
    static cudaError_t ExclusiveScan(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Op op,
                                     T initial, Num n, cudaStream_t stream = 0)
    {
        return simt_detail::scan(d_temp, temp_bytes, d_in, d_out, (size_t)n, op, initial, false,
                                 true, stream);
    }
    template <typename In, typename Out, typename Num>
    static cudaError_t InclusiveSum(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Num n,
                                    cudaStream_t stream = 0)
    {
        return InclusiveScan(d_temp, temp_bytes, d_in, d_out, cub::Sum(), n, stream);
    }
    template <typename In, typename Out, typename Num>
    static cudaError_t ExclusiveSum(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Num n,
                                    cudaStream_t stream = 0)
    {
        using T = std::decay_t<decltype(d_in[0])>;
        return ExclusiveScan(d_temp, temp_bytes, d_in, d_out, cub::Sum(), T(), n, stream);
    }
};

} // namespace cub

#endif
