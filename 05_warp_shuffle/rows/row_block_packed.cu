// SPDX-License-Identifier: MIT
//
// 05 row block, packed: one block a row, 16 bytes a load.
//
// Idea          Each thread loads packs of 16 bytes. Each row begins at an alignment of its own, so
//               each one gets its own head up to a 16-byte boundary, its packs and its tail.
// What was slow row_block loads one element at once, so it has four times as many loads in f32.
// What is slow  Rows of less than 16 * BLOCK_SIZE bytes: some threads have no pack at all.
// Source        The article on row reductions by warps and blocks. Its packs need a number of
//               columns that a pack divides, and end the program where it does not.
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

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// The part of a row that belongs to one thread: whole packs, and at most one element of each end.
// f32, row 1 of 7 columns, d_in at a boundary: the row begins at byte 28 = 12 mod 16, so 1 element
// in the head (thread 0), 1 pack of 4 (thread 0), 2 elements in the tail (threads 0 and 1).
template <typename Op, typename T>
__device__ auto thread_reduce(const T *d_row, size_t cols, unsigned tid)
{
    const Op op;
    const size_t pack_size = 16 / sizeof(T); // below 32: each end is one load of warp 0
    const size_t to_boundary = (16 - (size_t)d_row % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < cols ? to_boundary : cols;
    const size_t packs = (cols - head) / pack_size;
    const size_t tail = head + packs * pack_size; // index of the tail's first element
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_row + head);

    auto value = Op::identity();
    for (size_t p = tid; p < packs; p += BLOCK_SIZE) {
        const pack_t<T> pack = d_packs[p];
        for (unsigned k = 0; k < pack_size; k++) {
            value = op(value, pack.elem[k]);
        }
    }
    if (tid < head) {
        value = op(value, d_row[tid]);
    }
    if (tid < cols - tail) {
        value = op(value, d_row[tail + tid]);
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: one element a warp.
// Reads each element once, writes one result a row. d_in needs no alignment; cols may be 0.
// The operator says in which type the values are kept: in T, but for f16 in f32.
template <typename T, typename Op>
__global__ void rows_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    // All threads of a block have the same row, so all of them reach the barriers.
    for (size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const auto part = thread_reduce<Op>(d_in + row * cols, cols, threadIdx.x);
        const auto value = block_reduce<Op>(part);
        if (threadIdx.x == 0) {
            d_out[row] = value;
        }
        __syncwarp(); // the lanes go to the next row together
    }
}

// One launch, no scratch. The order of additions depends on cols and on the alignment of
// the row: same bits every run.
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
    .summary = "rows: one block a row, 16 bytes a load",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
             {launch<half, sum_op<float>>, launch<half, max_op<float>>,
              launch<half, min_op<float>>}},
};
