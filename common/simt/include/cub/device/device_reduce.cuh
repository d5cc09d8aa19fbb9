// SPDX-License-Identifier: MIT
//
// device_reduce.cuh - DeviceReduce: two passes, scratch by the usual two calls.
#ifndef SIMT_CUB_DEVICE_REDUCE_CUH
#define SIMT_CUB_DEVICE_REDUCE_CUH

#include <limits>
#include <type_traits>

#include "../block/block_reduce.cuh"
#include "../iterator/transform_input_iterator.cuh"

namespace cub
{

namespace simt_detail
{

enum { BlockThreads = 256, MOST_BLOCKS = 1024 };

// Each block reduces what its threads find in a grid-stride loop. The threads that find nothing are
// at the end, so only the first `valid` ones have a value.
template <typename T, typename In, typename Out, typename Op>
__global__ void reduce_kernel(In in, Out out, size_t n, Op op, T init, bool last)
{
    __shared__ typename BlockReduce<T, BlockThreads>::TempStorage s_storage;
    const size_t first = (size_t)blockIdx.x * BlockThreads + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * BlockThreads;
    const size_t left = n - (size_t)blockIdx.x * BlockThreads;
    T value = init;
    if (first < n) {
        value = in[first];
        for (size_t i = first + stride; i < n; i += stride)
            value = op(value, (T)in[i]);
    }
    value = BlockReduce<T, BlockThreads>(s_storage).Reduce(
        value, op, left < BlockThreads ? (int)left : BlockThreads);
    if (threadIdx.x == 0)
        out[blockIdx.x] = last ? op(init, value) : value;
}

// Of so many elements CUB makes one block, which needs no scratch. It asks for a byte all the same.
template <typename T>
constexpr size_t tile_items()
{
    const size_t fit = 16 * sizeof(float) / sizeof(T), items = fit < 1 ? 1 : fit < 32 ? fit : 32;
    const size_t most = (49152 / (sizeof(T) * items) + 31) / 32 * 32;
    return items * (most < BlockThreads ? most : (size_t)BlockThreads);
}

template <typename T, typename Out>
__global__ void fill_kernel(Out out, T value)
{
    *out = value;
}

// CUB guarantees nothing about its scratch after a call. So here all of it is overwritten, with
// large numbers: scratch that is too short, or overlaps something else, shows at once.
inline cudaError_t spoil(void *d_temp, size_t temp_bytes, cudaStream_t stream)
{
    return cudaMemsetAsync(d_temp, 0x7f, temp_bytes, stream);
}

} // namespace simt_detail

struct DeviceReduce {
    template <typename In, typename Out, typename Num, typename Op, typename T>
    static cudaError_t Reduce(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Num num, Op op,
                              T init, cudaStream_t stream = 0)
    {
        using namespace simt_detail;
        const size_t n = (size_t)num;
        const bool one_block = n <= tile_items<T>();
        const size_t temp_needed = one_block ? 1 : scratch_bytes(MOST_BLOCKS * sizeof(T));
        if (!d_temp) {
            temp_bytes = temp_needed;
            return cudaSuccess;
        }
        if (temp_bytes < temp_needed)
            return cudaErrorInvalidValue;
        cudaError_t error = spoil(d_temp, temp_bytes, stream);
        if (error != cudaSuccess)
            return error;
        T *d_partial = scratch_start<T>(d_temp);
        const size_t needed = (n + BlockThreads - 1) / BlockThreads;
        const size_t blocks = needed < MOST_BLOCKS ? needed : (size_t)MOST_BLOCKS;
        if (n == 0) {
            fill_kernel<T><<<1, 1, 0, stream>>>(d_out, init);
        } else if (one_block) {
            reduce_kernel<T><<<1, BlockThreads, 0, stream>>>(d_in, d_out, n, op, init, true);
        } else {
            reduce_kernel<T>
                <<<blocks, BlockThreads, 0, stream>>>(d_in, d_partial, n, op, init, false);
            reduce_kernel<T>
                <<<1, BlockThreads, 0, stream>>>(d_partial, d_out, blocks, op, init, true);
        }
        error = cudaGetLastError();
        return error != cudaSuccess ? error : spoil(d_temp, temp_bytes, stream);
    }

    template <typename In, typename Out, typename Num, typename Op, typename Transform, typename T>
    static cudaError_t TransformReduce(void *d_temp, size_t &temp_bytes, In d_in, Out d_out,
                                       Num num, Op op, Transform transform, T init,
                                       cudaStream_t stream = 0)
    {
        const simt::transform_iterator<T, Transform, In> transformed(d_in, transform);
        return Reduce(d_temp, temp_bytes, transformed, d_out, num, op, init, stream);
    }

#define SIMT_REDUCE(name, init)                                                                    \
    template <typename In, typename Out, typename Num>                                             \
    static cudaError_t name(void *d_temp, size_t &temp_bytes, In d_in, Out d_out, Num n,           \
                            cudaStream_t stream = 0)                                               \
    {                                                                                              \
        using T = std::decay_t<decltype(d_in[0])>;                                                 \
        return Reduce(d_temp, temp_bytes, d_in, d_out, n, cub::name(), (T)init, stream);           \
    }
    SIMT_REDUCE(Sum, T())
    SIMT_REDUCE(Max, std::numeric_limits<T>::lowest())
    SIMT_REDUCE(Min, std::numeric_limits<T>::max())
#undef SIMT_REDUCE
};

} // namespace cub

#endif
