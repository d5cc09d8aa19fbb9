// SPDX-License-Identifier: MIT
//
// 02 no divergence: the same tree, but neighbouring threads do the work.
//
// Idea          The pairs stay those of 01, but thread t takes pair t. So the threads that work are
//               0, 1, 2, ..., and they fill whole warps. A warp without work still issues every
//               instruction of the round, because nvcc predicates the `if` of a short operator.
// What was slow In 01 every thread computes a modulo. That few lanes work seems to cost little.
// What is slow  The words of a request are 2 * stride apart, so its lanes wait for each other.
// Next          03 changes which elements form a pair.
// Source        M. Harris, "Optimizing Parallel Reduction in CUDA", kernel 2; "Reduce 0 to 3".
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

    // stride 1: thread 0 adds [0]+[1], thread 1 adds [2]+[3], thread 2 adds [4]+[5], ...
    // stride 2: thread 0 adds [0]+[2], thread 1 adds [4]+[6], ...
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned left = 2 * stride * tid;
        if (left < blockDim.x) {
            s_data[left] = op(s_data[left], s_data[left + stride]);
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
    .summary = "tree in shared memory, interleaved, thread t takes pair t",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
