// SPDX-License-Identifier: MIT
//
// 03 first add: each thread adds two elements on the way in.
//
// Idea          In 03 half of the threads only load. Here a block of 256 threads takes 512
//               elements: each thread loads two and stores their sum. So half of the trees go.
// What it shows The first step towards 04, where a thread adds hundreds.
// Source        M. Harris, "Optimizing Parallel Reduction in CUDA", kernel 4.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256               // a power of two: the tree halves it down to 1
#define BLOCK_ITEMS (2 * BLOCK_SIZE) // elements that a block takes

// Launch: BLOCK_SIZE threads a block, one thread two elements. Shared: BLOCK_SIZE elements.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK_SIZE];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_ITEMS + tid;

    // thread 0 of block 0 adds [0]+[256], thread 1 adds [1]+[257], ...
    const T first = i < n ? d_in[i] : Op::identity();
    const T second = i + BLOCK_SIZE < n ? d_in[i + BLOCK_SIZE] : Op::identity();
    s_data[tid] = op(first, second);
    __syncthreads(); // all sums are in place

    // stride 128: thread 0 adds [0]+[128], thread 1 adds [1]+[129], thread 2 adds [2]+[130], ...
    // stride  64: thread 0 adds [0]+[64], thread 1 adds [1]+[65], ...
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = op(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Reduces n elements to one: n to ceil(n / 512) partials, those again, until one is left.
// Scratch: the partials of all passes. The order of additions is fixed: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = (n + BLOCK_ITEMS - 1) / BLOCK_ITEMS;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(T); // each pass is 512 times smaller: 2 is plenty
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    T *d_partials = (T *)d_work;
    while (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_ITEMS - 1) / BLOCK_ITEMS;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "03 with two elements a thread, added on the way in",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
