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

} // namespace simt_detail

} // namespace cub

#endif
