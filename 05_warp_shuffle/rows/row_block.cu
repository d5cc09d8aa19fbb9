// SPDX-License-Identifier: MIT
//
// 05 row block: one block a row.
//
// Idea          A long row is work for a whole block: its warps reduce in registers, one value a
//               warp goes through shared memory, and the block goes on to its next row.
// What was slow row_warp gives a row of 2^24 elements to 32 threads.
// What is slow  One element a load, four of them in flight: see row_block_packed. For short rows
//               most threads have nothing to do, and two barriers a row: see row_warp.
// Source        The article on row reductions by warps and blocks. Its block reduction has no
//               barrier before the store to shared memory, so it can be called only once.
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)

// Reduces the values of a warp's 32 lanes; lane 0 gets the result. All 32 lanes must call it.
template <typename Op, typename T>
__device__ T warp_reduce(T value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Reduces the values of a block; thread 0 gets the result. All threads must call it.
template <typename Op, typename T>
__device__ T block_reduce(T value)
{
    __shared__ T s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned warp = threadIdx.x / WARP_SIZE;

    value = warp_reduce<Op>(value);
    __syncthreads(); // warp 0 has read the results of the row before
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (warp == 0) {
        value = lane < WARPS ? s_warp[lane] : Op::identity();
        value = warp_reduce<Op>(value);
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: one element a warp.
// Reads each element once, writes one result a row. d_in needs no alignment; cols may be 0.
// The operator says in which type the values are kept: in T, but for f16 in f32.
template <typename T, typename Op>
__global__ void rows_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    const Op op;

    // All threads of a block have the same row, so all of them reach the barriers.
    for (size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const T *d_row = d_in + row * cols;
        auto value = Op::identity();
        for (size_t k = threadIdx.x; k < cols; k += BLOCK_SIZE) {
            value = op(value, d_row[k]);
        }
        value = block_reduce<Op>(value);
        if (threadIdx.x == 0) {
            d_out[row] = value;
        }
        __syncwarp(); // the lanes go to the next row together
    }
}

// One launch, no scratch. The order of additions depends on cols alone: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    int device = 0, sms = 1, sm_threads = BLOCK_SIZE; // should the queries fail: one block
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t blocks = rows < most ? rows : most;
    if (blocks > 0) {
        rows_kernel<T, Op>
            <<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "rows: one block a row",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
             {launch<half, sum_op<float>>, launch<half, max_op<float>>,
              launch<half, min_op<float>>}},
};
