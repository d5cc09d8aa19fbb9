// SPDX-License-Identifier: MIT
//
// cub.cuh - NOT NVIDIA's CUB. A small stand-in with the same calls, so that programs that use the
// reductions of CUB run in the emulator. It shows what the calls mean, not how CUB is made.
//
//   DeviceReduce::Sum, Max, Min, Reduce    two passes, scratch by the usual two calls
//   BlockReduce<T, N>, WarpReduce<T>       Sum, Reduce; the result is valid in thread or lane 0
#ifndef SIMT_CUB_CUH
#define SIMT_CUB_CUH

#include <limits>

#include "../cuda_runtime.h"

namespace cub
{

struct Sum {
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
struct Max {
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
struct Min {
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};

// Lanes at or past `valid` take no part.
template <typename T, int LANES = 32>
struct WarpReduce {
    struct TempStorage {
    };
    __device__ explicit WarpReduce(TempStorage &) {}

    template <typename Op>
    __device__ T Reduce(T value, Op op, int valid = LANES)
    {
        const int lane = (int)(threadIdx.x % LANES);
        for (int d = LANES / 2; d > 0; d /= 2) {
            const T other = __shfl_down_sync(0xffffffffu, value, (unsigned)d, LANES);
            if (lane + d < valid)
                value = op(value, other);
        }
        return value;
    }
    __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
};

// A tree in shared memory, for any number of threads.
template <typename T, int THREADS>
struct BlockReduce {
    struct TempStorage {
        T slot[THREADS];
    };
    TempStorage &storage;
    __device__ explicit BlockReduce(TempStorage &s) : storage(s) {}

    template <typename Op>
    __device__ T Reduce(T value, Op op, int valid = THREADS)
    {
        const int tid = (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
        storage.slot[tid] = value;
        __syncthreads();
        for (int count = valid; count > 1;) {
            const int half = (count + 1) / 2;
            if (tid < count - half)
                storage.slot[tid] = op(storage.slot[tid], storage.slot[tid + half]);
            __syncthreads();
            count = half;
        }
        return storage.slot[0];
    }
    __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
};

namespace simt_detail
{

enum { THREADS = 256, MOST_BLOCKS = 1024 };

// Each block reduces what its threads meet in a grid-stride loop. The threads that meet nothing
// are at the end, so only the first `valid` ones have a value.
template <typename T, typename In, typename Out, typename Op>
__global__ void reduce_kernel(In in, Out out, size_t n, Op op, T init, bool last)
{
    __shared__ typename BlockReduce<T, THREADS>::TempStorage s_storage;
    const size_t first = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * THREADS;
    const size_t left = n - (size_t)blockIdx.x * THREADS;
    T value = init;
    if (first < n) {
        value = in[first];
        for (size_t i = first + stride; i < n; i += stride)
            value = op(value, (T)in[i]);
    }
    value =
        BlockReduce<T, THREADS>(s_storage).Reduce(value, op, left < THREADS ? (int)left : THREADS);
    if (threadIdx.x == 0)
        out[blockIdx.x] = last ? op(init, value) : value;
}

template <typename T, typename Out>
__global__ void fill_kernel(Out out, T value)
{
    *out = value;
}

} // namespace simt_detail

struct DeviceReduce {
    template <typename In, typename Out, typename Num, typename Op, typename T>
    static cudaError_t Reduce(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Num num, Op op,
                              T init, cudaStream_t stream = 0)
    {
        using namespace simt_detail;
        const size_t n = (size_t)num;
        if (!d_temp) {
            temp_bytes = MOST_BLOCKS * sizeof(T);
            return cudaSuccess;
        }
        if (temp_bytes < MOST_BLOCKS * sizeof(T))
            return cudaErrorInvalidValue;
        T *d_partial = (T *)d_temp;
        const size_t needed = (n + THREADS - 1) / THREADS;
        const size_t blocks = needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS;
        if (n == 0) {
            fill_kernel<T><<<1, 1, 0, stream>>>(d_out, init);
        } else if (blocks == 1) {
            reduce_kernel<T><<<1, THREADS, 0, stream>>>(d_in, d_out, n, op, init, true);
        } else {
            reduce_kernel<T><<<blocks, THREADS, 0, stream>>>(d_in, d_partial, n, op, init, false);
            reduce_kernel<T><<<1, THREADS, 0, stream>>>(d_partial, d_out, blocks, op, init, true);
        }
        return cudaGetLastError();
    }

    template <typename T, typename Out, typename Num>
    static cudaError_t Sum(void *d_temp, size_t &temp_bytes, const T *d_in, Out d_out, Num n,
                           cudaStream_t stream = 0)
    {
        return Reduce(d_temp, temp_bytes, d_in, d_out, n, cub::Sum(), T(), stream);
    }

    template <typename T, typename Out, typename Num>
    static cudaError_t Max(void *d_temp, size_t &temp_bytes, const T *d_in, Out d_out, Num n,
                           cudaStream_t stream = 0)
    {
        return Reduce(d_temp, temp_bytes, d_in, d_out, n, cub::Max(),
                      (T)std::numeric_limits<T>::lowest(), stream);
    }

    template <typename T, typename Out, typename Num>
    static cudaError_t Min(void *d_temp, size_t &temp_bytes, const T *d_in, Out d_out, Num n,
                           cudaStream_t stream = 0)
    {
        return Reduce(d_temp, temp_bytes, d_in, d_out, n, cub::Min(),
                      (T)std::numeric_limits<T>::max(), stream);
    }
};

} // namespace cub

#endif
