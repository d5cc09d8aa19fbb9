// SPDX-License-Identifier: MIT
//
// 05 row warp: one warp a row, several rows a block.
//
// Idea          A matrix of rows x cols becomes one value a row. A row of some hundred elements is
//               work for one warp: it reduces in registers, without a barrier and without shared
//               memory, and its neighbours in the block never wait for it.
// What was slow One launch of 05 for each row.
// What is slow  One element a load, four of them in flight: see row_warp_packed. Long rows in a
//               small batch leave the GPU empty: see row_block.
// Source        The article on row reductions by warps and blocks. Its kernel has no guard for the
//               rows beyond the last and 32-bit offsets; this one walks the rows in a loop.
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256                 // whole warps
#define WARPS (BLOCK_SIZE / WARP_SIZE) // rows that a block takes at once

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

// Launch: BLOCK_SIZE threads a block, any grid. Shared: none.
// Reads each element once, writes one result a row. d_in needs no alignment; cols may be 0.
// The operator says in which type the values are kept: in T, but for f16 in f32.
template <typename T, typename Op>
__global__ void rows_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    const Op op;
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const size_t first = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    const size_t warps = (size_t)gridDim.x * WARPS;

    // rows = 10, one block: warp 0 takes the rows 0 and 8, warp 1 the rows 1 and 9, warp 2 row 2.
    // All lanes of a warp have the same row, so the warp enters and leaves the loop as a whole.
    for (size_t row = first; row < rows; row += warps) {
        const T *d_row = d_in + row * cols;
        auto value = Op::identity();
        for (size_t k = lane; k < cols; k += WARP_SIZE) {
            value = op(value, d_row[k]);
        }
        value = warp_reduce<Op>(value);
        if (lane == 0) {
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
    const size_t needed = rows / WARPS + (rows % WARPS > 0);
    const size_t blocks = needed < most ? needed : most;
    if (blocks > 0) {
        rows_kernel<T, Op>
            <<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "rows: one warp a row",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
             {launch<half, sum_op<float>>, launch<half, max_op<float>>,
              launch<half, min_op<float>>}},
};
