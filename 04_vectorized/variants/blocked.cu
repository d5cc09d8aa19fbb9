// SPDX-License-Identifier: MIT
//
// 04 blocked: each thread sums its own stretch. Not coalesced.
//
// Idea          Divide the array as you would among the threads of a CPU: thread 0 takes the
//               first stretch, thread 1 the next one of the same length, and so on.
// What is slow  The 32 lanes of a warp load from 32 places far apart: 32 sectors of 32 bytes for
//               128 bytes of data. Lanes that load neighbours share 4 sectors.
// What it shows What coalescing is worth at least. `scalar` has the same grid, as many loads and
//               additions, but fewer in flight: nvcc unrolls this loop, whose step is constant.
// Source        The articles on row reductions and on OneFlow's elementwise kernels mention it;
//               neither shows what it costs.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256 // a power of two: the tree halves it down to 1

// Launch: BLOCK_SIZE threads a block, any grid. Shared: BLOCK_SIZE elements.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK_SIZE];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t thread = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // n = 1000 with 256 threads: thread 0 takes 0 to 3, thread 1 takes 4 to 7, ..., 249 the last.
    const size_t length = (n + threads - 1) / threads;
    const size_t begin = thread * length;
    const size_t end = begin + length < n ? begin + length : n;

    T value = Op::identity();
    for (size_t i = begin; i < end; i++) {
        value = op(value, d_in[i]);
    }
    s_data[tid] = value;
    __syncthreads(); // all elements are in place

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

// Two passes: n elements to one partial a block, the partials to one with a single block.
// Scratch: one partial a block. The order of additions depends on n and the GPU, on nothing else:
// same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // if the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    // The largest grid is as many threads as the SMs can hold; small inputs need fewer blocks.
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t blocks = needed < most ? needed : most;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T);
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    if (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_work, n);
        d_src = (const T *)d_work;
        n = blocks;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "tree in shared memory, a stretch of its own for each thread",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
