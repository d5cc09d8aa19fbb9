// SPDX-License-Identifier: MIT
//
// 05 softmax, three passes: the maximum of a row, the sum, the quotients.
//
// Idea          exp(x) overflows for x > 88, so a softmax takes the row's maximum off first. This
//               is the plain form: one reduction for the maximum, one for the sum of exp(x - max),
//               and a pass that writes the quotients. All threads need both results, so the
//               reductions go through xor shuffles. A short row is the work of one warp, a long
//               one of a block.
// What was slow A kernel for each pass, with the maxima and the sums in global memory.
// What is slow  It reads each row three times: see softmax.
// Source        The article on row reductions names softmax as their use. The passes are textbook.
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define LONG_ROW 1024 // from here on a row is the work of a block

// Reduces the values of a warp's 32 lanes; every lane gets the result. All 32 lanes must call it.
template <typename Op>
__device__ float warp_all_reduce(float value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_xor_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Reduces the values of a block; every thread gets the result. All threads must call it.
template <typename Op>
__device__ float block_all_reduce(float value)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;

    value = warp_all_reduce<Op>(value);
    __syncthreads(); // all warps have read the results of the call before
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    return warp_all_reduce<Op>(lane < WARPS ? s_warp[lane] : Op::identity());
}

// The same for the THREADS threads that share a row: a warp or a block.
template <unsigned THREADS, typename Op>
__device__ float all_reduce(float value)
{
    return THREADS == WARP_SIZE ? warp_all_reduce<Op>(value) : block_all_reduce<Op>(value);
}

// THREADS threads a row: WARP_SIZE or BLOCK_SIZE. Launch: BLOCK_SIZE threads a block, any grid.
// Shared: one float a warp. Reads each element three times, writes it once. Any alignment,
// any cols.
template <unsigned THREADS, typename T>
__global__ void softmax_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    const max_op<float> larger;
    const unsigned at_once = BLOCK_SIZE / THREADS; // rows that a block takes
    const unsigned i = threadIdx.x % THREADS;
    const size_t first = (size_t)blockIdx.x * at_once + threadIdx.x / THREADS;

    // All threads that share a row enter and leave the loop together, and reach the barriers.
    for (size_t row = first; row < rows; row += (size_t)gridDim.x * at_once) {
        const T *d_row = d_in + row * cols;
        float max = max_op<float>::identity();
        for (size_t k = i; k < cols; k += THREADS) {
            max = larger(max, d_row[k]);
        }
        max = all_reduce<THREADS, max_op<float>>(max);

        float sum = 0.0f;
        for (size_t k = i; k < cols; k += THREADS) {
            sum += expf((float)d_row[k] - max);
        }
        sum = all_reduce<THREADS, sum_op<float>>(sum);

        for (size_t k = i; k < cols; k += THREADS) {
            d_out[row * cols + k] = expf((float)d_row[k] - max) / sum;
        }
    }
}

// One launch, no scratch. The order of additions depends on cols alone: same bits every run.
template <typename T>
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

    const bool is_long = cols >= LONG_ROW;
    const size_t at_once = is_long ? 1 : WARPS;        // rows that a block takes
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = rows / at_once + (rows % at_once > 0);
    const unsigned blocks = (unsigned)(needed < most ? needed : most);
    if (blocks > 0) {
        const auto kernel = is_long ? softmax_kernel<BLOCK_SIZE, T> : softmax_kernel<WARP_SIZE, T>;
        kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "softmax: maximum, sum and quotients in three passes",
    .softmax = {launch<float>, NULL, NULL, launch<half>},
};
