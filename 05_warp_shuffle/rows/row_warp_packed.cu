// SPDX-License-Identifier: MIT
//
// 05 row warp, packed: one warp a row, 16 bytes a load.
//
// Idea          Each lane loads packs of 16 bytes. Rows follow each other without gaps, so each row
//               begins at an alignment of its own, and each one gets its own head up to a 16-byte
//               boundary, its packs and its tail.
// What was slow row_warp loads one element at once, so it has four times as many loads in f32.
// What is slow  Rows of some 32 elements: most lanes have no pack, and the ends cost a load each.
// Source        The article on row reductions by warps and blocks. Its packs need a number of
//               columns that a pack divides, and end the program where it does not.
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

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// The part of a row that belongs to one lane: whole packs, and at most one element of each end.
// f32, row 1 of 7 columns, d_in at a boundary: the row begins at byte 28 = 12 mod 16, so 1 element
// in the head (lane 0), 1 pack of 4 (lane 0), 2 elements in the tail (lanes 0 and 1).
template <typename Op, typename T>
__device__ auto lane_reduce(const T *d_row, size_t cols, unsigned lane)
{
    const Op op;
    const size_t pack_size = 16 / sizeof(T); // below 32: each end is one load of the warp
    const size_t to_boundary = (16 - (size_t)d_row % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < cols ? to_boundary : cols;
    const size_t packs = (cols - head) / pack_size;
    const size_t tail = head + packs * pack_size; // index of the tail's first element
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_row + head);

    auto value = Op::identity();
    for (size_t p = lane; p < packs; p += WARP_SIZE) {
        const pack_t<T> pack = d_packs[p];
        for (unsigned k = 0; k < pack_size; k++) {
            value = op(value, pack.elem[k]);
        }
    }
    if (lane < head) {
        value = op(value, d_row[lane]);
    }
    if (lane < cols - tail) {
        value = op(value, d_row[tail + lane]);
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: none.
// Reads each element once, writes one result a row. d_in needs no alignment; cols may be 0.
// The operator says in which type the values are kept: in T, but for f16 in f32.
template <typename T, typename Op>
__global__ void rows_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const size_t first = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    const size_t warps = (size_t)gridDim.x * WARPS;

    // rows = 10, one block: warp 0 takes the rows 0 and 8, warp 1 the rows 1 and 9, warp 2 row 2.
    // All lanes of a warp have the same row, so the warp enters and leaves the loop as a whole.
    for (size_t row = first; row < rows; row += warps) {
        const auto value = warp_reduce<Op>(lane_reduce<Op>(d_in + row * cols, cols, lane));
        if (lane == 0) {
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
    const size_t needed = rows / WARPS + (rows % WARPS > 0);
    const size_t blocks = needed < most ? needed : most;
    if (blocks > 0) {
        rows_kernel<T, Op>
            <<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "rows: one warp a row, 16 bytes a load",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
             {launch<half, sum_op<float>>, launch<half, max_op<float>>,
              launch<half, min_op<float>>}},
};
