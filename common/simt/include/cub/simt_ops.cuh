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

// CUB numbers the threads by the template, not by blockDim: in a block of 16 x 16, a BlockReduce of
// 256 x 1 x 1 gives 16 threads the same number, and most numbers to none.
template <int X, int Y, int Z>
struct block_shape {
    static constexpr int BlockThreads = X * Y * Z;

    __device__ __forceinline__ static int thread()
    {
        return (int)(threadIdx.x + (Y == 1 ? 0 : threadIdx.y * X) +
                     (Z == 1 ? 0 : threadIdx.z * X * Y));
    }
    // The first `valid` threads take part: a block may have fewer than the template says.
    __device__ __forceinline__ static void check(int valid = BlockThreads)
    {
        const unsigned y = Y == 1 ? 1 : min(blockDim.y, (unsigned)Y);
        const unsigned z = Z == 1 ? 1 : min(blockDim.z, (unsigned)Z);
        if (blockDim.x > X || (int)(blockDim.x * y * z) < valid)
            simt_trap(
                "the block has another shape than the template says\n"
                "    CUB numbers threads by the template: give it the block's X, and Y and Z");
    }
};

// The lanes that work together in a warp divided into groups of Lanes: Lanes 8, lane 9: 0xff00.
template <int Lanes>
__device__ inline unsigned group_mask()
{
    const unsigned first = (unsigned)thread_number() % 32 / Lanes * Lanes;
    return 0xffffffffu >> (32 - Lanes) << first;
}

// CUB takes scratch from any address, and begins at the next multiple of 256. So the size that it
// asks for is odd.
inline size_t scratch_bytes(size_t bytes)
{
    return (bytes + 255) / 256 * 256 + 255;
}
template <typename T>
T *scratch_start(void *d_temp)
{
    return (T *)(((size_t)d_temp + 255) / 256 * 256);
}

// An array in shared memory, where no constructor runs.
template <typename T, int Count>
struct slots {
    alignas(T) unsigned char bytes[Count * sizeof(T)];
    __device__ T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

} // namespace simt_detail

} // namespace cub

#endif
