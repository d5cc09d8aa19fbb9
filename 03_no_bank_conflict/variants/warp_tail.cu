// SPDX-License-Identifier: MIT
//
// 03 warp tail: the last 32 values by shuffles between registers.
//
// Idea          The tree of 03 goes down to 64 values. Warp 0 adds them in pairs, one value a lane,
//               and then these 32 by __shfl_down_sync, without shared memory. The pairs are 03's.
// What it shows Shuffles against shared memory for the last 32 values, the only difference from
//               `shared_unrolled`.
// Source        M. Harris, "Faster Parallel Reductions on Kepler" (NVIDIA blog).
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256 // a power of two, 64 or more: the tree halves it down to 64
#define WARP_SIZE 32

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

    // stride 128: thread 0 adds [0]+[128], thread 1 adds [1]+[129], thread 2 adds [2]+[130], ...
    // stride  64: thread 0 adds [0]+[64], thread 1 adds [1]+[65], ...
    for (unsigned stride = BLOCK_SIZE / 2; stride > WARP_SIZE; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = op(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's sums are in place
    }
    // Warp 0 alone. Stride 32: lane 0 adds [0]+[32]. Offset 16: lane 0 adds lane 16's value, ...
    if (tid < WARP_SIZE) {
        T value = op(s_data[tid], s_data[tid + WARP_SIZE]);
        for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
            value = op(value, __shfl_down_sync(0xffffffff, value, offset)); // mask: all 32 lanes
        }
        if (tid == 0) {
            d_out[blockIdx.x] = value;
        }
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
    .summary = "03 unrolled, the last 32 values by shuffles",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
