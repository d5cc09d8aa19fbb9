// SPDX-License-Identifier: MIT
//
// 03 template block: the block size as a parameter of the template.
//
// Idea          Each block size is a separate kernel, in which `if constexpr` leaves only the
//               rounds that it needs, and no loop. A switch picks the kernel at run time, so the
//               last pass, over few partials, takes the smallest block that holds them.
// What it shows Against `unrolled`: whether the tree gains from being written out this way, and
//               what the smaller last block is worth for small n.
// Source        M. Harris, "Optimizing Parallel Reduction in CUDA", kernel 6.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256 // of all passes but the last: 64, 128, 256, 512 or 1024
#define SMALLEST 64

// The rounds of the tree from STRIDE down to 1. All threads of the block must call it.
//   STRIDE 128: thread 0 adds [0]+[128], thread 1 adds [1]+[129], thread 2 adds [2]+[130], ...
//   STRIDE  64: thread 0 adds [0]+[64], thread 1 adds [1]+[65], ...
template <unsigned STRIDE, typename T, typename Op>
static __device__ void tree(T *s_data, unsigned tid)
{
    if constexpr (STRIDE > 0) {
        if (tid < STRIDE) {
            s_data[tid] = Op()(s_data[tid], s_data[tid + STRIDE]);
        }
        __syncthreads(); // this round's sums are in place
        tree<STRIDE / 2, T, Op>(s_data, tid);
    }
}

// Launch: BLOCK threads a block, one thread an element. Shared: BLOCK elements.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op, unsigned BLOCK>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK + tid;

    s_data[tid] = i < n ? d_in[i] : Op::identity();
    __syncthreads(); // all elements are in place
    tree<BLOCK / 2, T, Op>(s_data, tid);
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// One pass with `block` threads a block: a number at run time becomes one of the template.
template <typename T, typename Op>
static void launch_pass(unsigned block, size_t blocks, const T *d_src, T *d_dst, size_t n,
                        cudaStream_t stream)
{
    switch (block) {
    case 64:
        reduce_kernel<T, Op, 64><<<blocks, 64, 0, stream>>>(d_src, d_dst, n);
        break;
    case 128:
        reduce_kernel<T, Op, 128><<<blocks, 128, 0, stream>>>(d_src, d_dst, n);
        break;
    case 256:
        reduce_kernel<T, Op, 256><<<blocks, 256, 0, stream>>>(d_src, d_dst, n);
        break;
    case 512:
        reduce_kernel<T, Op, 512><<<blocks, 512, 0, stream>>>(d_src, d_dst, n);
        break;
    default:
        reduce_kernel<T, Op, 1024><<<blocks, 1024, 0, stream>>>(d_src, d_dst, n);
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
        launch_pass<T, Op>(BLOCK_SIZE, blocks, d_src, d_partials, n, stream);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    unsigned block = SMALLEST;
    while (block < n) {
        block *= 2; // ends at BLOCK_SIZE at the latest
    }
    launch_pass<T, Op>(block, 1, d_src, (T *)d_out, n, stream);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "03 with the block size as a template parameter",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
