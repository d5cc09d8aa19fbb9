// SPDX-License-Identifier: MIT
//
// 01 bitmask: the naive tree with `&` in place of `%`.
//
// Idea          2 * stride is a power of two, so the remainder is an AND with 2 * stride - 1. The
//               compiler can't know this, but we do. The loop and the idle lanes of 01 stay.
// What it shows What the modulo alone costs 01. On an H200 this reaches 838 GB/s. The tree of 02,
//               with whole warps, reaches 679. That of 03, without bank conflicts, reaches 874.
// Source        M. Harris, "Optimizing Parallel Reduction in CUDA", names the cost of `%`.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256 // a power of two: the tree halves it down to 1

// Launch: BLOCK_SIZE threads a block, one thread an element. Shared: BLOCK_SIZE elements.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK_SIZE];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : Op::identity();
    __syncthreads(); // all elements are in place

    // stride 1: thread 0 adds [0]+[1], thread 2 adds [2]+[3], thread 4 adds [4]+[5], ...
    // stride 2: thread 0 adds [0]+[2], thread 4 adds [4]+[6], ...
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if ((tid & (2 * stride - 1)) == 0) {
            s_data[tid] = op(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Reduces n elements to one: n to ceil(n / 256) partials, those again, until one is left.
// Scratch: the partials of all passes. The order of additions is fixed: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(T); // each pass is 256 times smaller: 2 is plenty
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    T *d_partials = (T *)d_work;
    while (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "01 with a bit mask in place of the modulo",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
