// SPDX-License-Identifier: MIT
//
// simt_ops.cuh - operators, and the number of a thread in its block.
#ifndef SIMT_CUB_OPS_CUH
#define SIMT_CUB_OPS_CUH

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

namespace simt_detail
{

__device__ inline int thread_number()
{
    return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// The lanes that work together in a warp divided into groups of LANES: LANES 8, lane 9: 0xff00.
template <int LANES>
__device__ inline unsigned group_mask()
{
    const unsigned first = (unsigned)thread_number() % 32 / LANES * LANES;
    return 0xffffffffu >> (32 - LANES) << first;
}

// The position of item i of a thread among those of the block.
template <bool STRIPED, int THREADS, int ITEMS>
__device__ inline int item_of(int i)
{
    return STRIPED ? thread_number() + i * THREADS : thread_number() * ITEMS + i;
}

// An array in shared memory, where no constructor runs.
template <typename T, int N>
struct slots {
    alignas(T) unsigned char bytes[N * sizeof(T)];
    __device__ T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

} // namespace simt_detail

} // namespace cub

#endif
