// SPDX-License-Identifier: MIT
//
// 05 column block: a block of 32 x 8 threads for 32 columns, several blocks to a column.
//
// Idea          A warp is one row of 32 columns, so its load is one request of whole sectors. The
//               block takes 8 rows at once and adds them up in shared memory at its end. If that
//               makes too few blocks, the rows are cut into slices as well, and then the same
//               kernel runs once more, over one row of partials a slice.
// What was slow column_naive has a thread a column: few threads if there are few columns.
// What is slow  nvcc puts four loads of the loop first, but each is one element, 8 bytes a thread
//               in f16: see column_best. With fewer than 32 columns lanes have nothing to do.
// Source        See column_naive.
#include <algorithm>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define WIDE 32       // columns of a block: a warp
#define HIGH 8        // rows that a block takes at once, a power of two
#define LEAST_ROWS 64 // of a slice: 8 for each thread

// Launch: WIDE x HIGH threads a block, a block for every WIDE columns (x) and every slice of
// slice_rows rows (y). Shared: one value a thread. Reads each element once, writes one result a
// column and slice. d_in needs no alignment; rows may be 0.
template <typename T, typename Out, typename A, typename Op>
__global__ void column_kernel(const T *d_in, Out *d_out, size_t rows, size_t cols,
                              size_t slice_rows)
{
    __shared__ A s_value[HIGH][WIDE];
    const Op op;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t column = (size_t)blockIdx.x * WIDE + x;
    const size_t begin = blockIdx.y * slice_rows;
    const size_t end = min(begin + slice_rows, rows);

    // slice_rows = 20, slice 1: the threads with y = 0 take the rows 20, 28 and 36.
    A value = Op::identity();
    if (column < cols) {
        for (size_t row = begin + y; row < end; row += HIGH) {
            value = op(value, (A)d_in[row * cols + column]);
        }
    }
    s_value[y][x] = value;
    __syncthreads(); // the values of all 8 rows are in place
    for (unsigned half = HIGH / 2; half > 0; half /= 2) {
        if (y < half) {
            s_value[y][x] = op(s_value[y][x], s_value[y + half][x]);
        }
        __syncthreads(); // the next round reads what other warps have written
    }
    if (y == 0 && column < cols) {
        d_out[blockIdx.y * cols + column] = (Out)s_value[0][x];
    }
}

// Scratch: a row of partials for each slice. The order of additions depends on the shape and the
// GPU: same bits every run.
template <typename T, typename Op, typename A = T>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    int device = 0, sms = 1, sm_threads = WIDE * HIGH; // should the queries fail: one block
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    const size_t across = cols / WIDE + (cols % WIDE > 0);
    const int blocks_per_sm = sm_threads / (WIDE * HIGH); // on an H200 2048 / 256 = 8
    const size_t wanted = (size_t)sms * blocks_per_sm / std::max(across, (size_t)1);
    const size_t slices = std::max(std::min(wanted, rows / LEAST_ROWS), (size_t)1);
    if (d_work == NULL) {
        *work_bytes = slices > 1 ? slices * cols * sizeof(A) : 0;
        return cudaSuccess;
    }
    if (cols == 0) {
        return cudaSuccess;
    }
    const dim3 block(WIDE, HIGH), grid((unsigned)across, (unsigned)slices);
    const size_t slice_rows = rows / slices + (rows % slices > 0);
    if (slices == 1) {
        column_kernel<T, T, A, Op>
            <<<grid, block, 0, stream>>>((const T *)d_in, (T *)d_out, rows, cols, rows);
        return cudaGetLastError();
    }
    column_kernel<T, A, A, Op>
        <<<grid, block, 0, stream>>>((const T *)d_in, (A *)d_work, rows, cols, slice_rows);
    column_kernel<A, T, A, Op>
        <<<grid.x, block, 0, stream>>>((const A *)d_work, (T *)d_out, slices, cols, slices);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "columns: a block of 32 x 8 threads, and slices of rows",
    .columns = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                 launch<float, min_op<float>>},
                {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                 launch<double, min_op<double>>},
                {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
                {launch<half, sum_op<float>, float>, launch<half, max_op<float>, float>,
                 launch<half, min_op<float>, float>}},
};
