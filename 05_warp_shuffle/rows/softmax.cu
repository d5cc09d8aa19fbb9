// SPDX-License-Identifier: MIT
//
// 05 softmax: the maximum and the sum of a row in one pass.
//
// Idea          exp(x) overflows for x > 88, so a softmax takes the row's maximum off first. The
//               online form needs no pass of its own for it: a pair (max, sum of exp(x - max)) is
//               reduced. Where a larger maximum turns up, the sum so far is scaled down to it. Two
//               pairs are merged in the same way, so the pairs go through xor shuffles as sums do.
//               A short row is the work of one warp, a long one of a block.
// What was slow softmax_three_pass reads each row three times, this one twice.
// What is slow  The second read, if a row does not fit L2; 4 bytes a load, or 2 for f16.
// Source        M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018.
#include <cfloat>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define LONG_ROW 1024 // from here on a row is the work of a block
#define LOADS 4       // elements that a thread has in flight

// The maximum of some elements, and the sum of exp(x - max) over them. No elements: {-FLT_MAX, 0}.
// -Infinity would not do: -Infinity - -Infinity is NaN, and a lane without elements is no fault.
struct alignas(8) pair_t { // aligned: a pair is one load from shared memory
    float max, sum;
};

// {1, 2} and {3, 5} give {3, 2 exp(-2) + 5}. NaN and +Infinity make the sum NaN.
__device__ pair_t merge(pair_t a, pair_t b)
{
    const float max = max_op<float>()(a.max, b.max);
    return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
}

// Merges the pairs of a warp's 32 lanes; every lane gets the result. All 32 lanes must call it.
__device__ pair_t warp_all_merge(pair_t pair)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const pair_t other = {__shfl_xor_sync(0xffffffff, pair.max, offset), // mask: all 32 lanes
                              __shfl_xor_sync(0xffffffff, pair.sum, offset)};
        pair = merge(pair, other);
    }
    return pair;
}

// Merges the pairs of a block; every thread gets the result. All threads must call it.
__device__ pair_t block_all_merge(pair_t pair)
{
    __shared__ pair_t s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;

    pair = warp_all_merge(pair);
    __syncthreads(); // all warps have read the results of the row before
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = pair;
    }
    __syncthreads(); // the results of all warps are in place
    return warp_all_merge(lane < WARPS ? s_warp[lane] : pair_t{-FLT_MAX, 0.0f});
}

// The elements i, i + threads, i + 2 * threads, ... of a row. LOADS of them are loaded at once, so
// that a maximum is looked for, and the sum scaled, once for LOADS elements.
template <typename T>
__device__ pair_t thread_pair(const T *d_row, size_t cols, unsigned i, unsigned threads)
{
    const max_op<float> larger;
    pair_t pair = {-FLT_MAX, 0.0f};

    for (size_t k = i; k < cols; k += LOADS * threads) {
        float x[LOADS];
        float max = pair.max;
        for (unsigned j = 0; j < LOADS; j++) {
            const size_t at = k + j * threads;
            x[j] = at < cols ? (float)d_row[at] : -INFINITY; // exp(-infinity) adds nothing
            max = larger(max, x[j]);
        }
        pair.sum *= expf(pair.max - max);
        for (unsigned j = 0; j < LOADS; j++) {
            pair.sum += expf(x[j] - max);
        }
        pair.max = max;
    }
    return pair;
}

// THREADS threads a row: WARP_SIZE or BLOCK_SIZE. Launch: BLOCK_SIZE threads a block, any grid.
// Shared: a pair a warp. Reads each element twice, writes it once. Any alignment; cols may be 0.
template <unsigned THREADS, typename T>
__global__ void softmax_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    const unsigned at_once = BLOCK_SIZE / THREADS; // rows that a block takes
    const unsigned i = threadIdx.x % THREADS;
    const size_t first = (size_t)blockIdx.x * at_once + threadIdx.x / THREADS;

    // All threads that share a row enter and leave the loop together, and reach the barriers.
    for (size_t row = first; row < rows; row += (size_t)gridDim.x * at_once) {
        const T *d_row = d_in + row * cols;
        const pair_t part = thread_pair(d_row, cols, i, THREADS);
        const pair_t pair = THREADS == WARP_SIZE ? warp_all_merge(part) : block_all_merge(part);
        const float scale = 1.0f / pair.sum;
        for (size_t k = i; k < cols; k += THREADS) {
            d_out[row * cols + k] = expf((float)d_row[k] - pair.max) * scale;
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
    .summary = "softmax: maximum and sum of a row in one pass",
    .softmax = {launch<float>, NULL, NULL, launch<half>},
};
