// SPDX-License-Identifier: MIT
//
// 01 global_memory: the same tree in global memory.
//
// Idea          The scratch holds a copy of the input, 256 elements for each block, and the block
//               runs the tree of 01 there, without any shared memory. The input itself must not
//               change, although the book's first kernels reduce in place and destroy it.
// What it shows What shared memory is worth, compared with 01's kernel: each round now loads and
//               stores through the caches, in 32-byte sectors instead of banks.
// Source        J. Cheng, M. Grossman, T. McKercher, "Professional CUDA C Programming", its first
//               kernels; SunGeng's article names them as the baseline.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256 // a power of two: the tree halves it down to 1

// Launch: BLOCK_SIZE threads a block, one thread an element. Shared: none.
// Reads each element once, writes one partial a block. d_copy has BLOCK_SIZE elements for each
// block, and no block touches another's. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_copy, T *d_out, size_t n)
{
    T *d_data = d_copy + (size_t)blockIdx.x * BLOCK_SIZE;
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    d_data[tid] = i < n ? d_in[i] : Op::identity();
    __syncthreads(); // all elements are in place: a barrier orders global memory as well

    // stride 1: thread 0 adds [0]+[1], thread 2 adds [2]+[3], thread 4 adds [4]+[5], ...
    // stride 2: thread 0 adds [0]+[2], thread 4 adds [4]+[6], ...
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0) {
            d_data[tid] = op(d_data[tid], d_data[tid + stride]);
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = d_data[0];
    }
}

// Reduces n elements to one: n to ceil(n / 256) partials, those again, until one is left.
// Scratch: the copy, in whole blocks, which each pass overwrites, and the partials of all passes.
// The order of additions is fixed: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = n > 0 ? (n + BLOCK_SIZE - 1) / BLOCK_SIZE : 1;
    if (d_work == NULL) {
        *work_bytes = (BLOCK_SIZE + 2) * blocks * sizeof(T); // 2: each pass is 256 times smaller
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    T *d_copy = (T *)d_work;
    T *d_partials = d_copy + blocks * BLOCK_SIZE;
    while (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_copy, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, d_copy, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "tree in global memory, in a copy of the input",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
