// SPDX-License-Identifier: MIT
//
// 05 column naive: one thread a column.
//
// Idea          A matrix of rows x cols becomes one value a column. A thread walks down its column;
//               its neighbour has the next one, so each load of a warp is 32 elements side by side.
// What is slow  As many threads as columns: 1,024 columns are 4 blocks, and 128 of an H200's SMs
//               stay empty. See column_block.
// Source        The article on a staged reduction says that the rows or columns of a matrix are
//               reduced as often, and shows neither.
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256

// Launch: BLOCK_SIZE threads a block, a thread for each column. Shared: none.
// Reads each element once, writes one result a column. d_in needs no alignment; rows may be 0.
// The operator says in which type the values are kept: in T, but for f16 in f32.
template <typename T, typename Op>
__global__ void column_kernel(const T *d_in, T *d_out, size_t rows, size_t cols)
{
    const Op op;
    const size_t column = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (column >= cols) {
        return;
    }
    auto value = Op::identity();
    for (size_t row = 0; row < rows; row++) {
        value = op(value, d_in[row * cols + column]);
    }
    d_out[column] = value;
}

// One launch, no scratch. Each column is added from top to bottom: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = cols / BLOCK_SIZE + (cols % BLOCK_SIZE > 0);
    if (blocks > 0) {
        column_kernel<T, Op>
            <<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "columns: one thread a column",
    .columns = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                 launch<float, min_op<float>>},
                {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                 launch<double, min_op<double>>},
                {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
                {launch<half, sum_op<float>>, launch<half, max_op<float>>,
                 launch<half, min_op<float>>}},
};
