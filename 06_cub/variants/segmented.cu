// SPDX-License-Identifier: MIT
//
// 06 segmented: the rows of a matrix by one call of CUB. The peer for rows.
//
// Idea          cub::DeviceSegmentedReduce reduces many segments of one array, in CUB 3.5.0 one
//               block a segment. The rows of a matrix are segments of one length: row r begins at
//               r * cols.
// What changes  No scratch holds the offsets, because an iterator computes them from the row.
// What is slow  A block for every row, however short. A row of 32 elements leaves 224 threads idle.
//               CCCL 3.1 and newer also take segments of one size, but this call has offsets.
// Needs: nvcc's CUB
// Source        CUB documentation, cub::DeviceSegmentedReduce.
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "ops.cuh"
#include "step.h"

// The index of a row's first element.
struct row_start {
    size_t cols;
    __host__ __device__ size_t operator()(size_t row) const { return row * cols; }
};

// Element r of the iterator is r * cols; the end of a row is the start of the next one.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (rows == 0) { // CUB returns at once, without the size
        *work_bytes = 0;
        return cudaSuccess;
    }
    const auto row = thrust::make_counting_iterator((size_t)0);
    const auto begin = thrust::make_transform_iterator(row, row_start{cols});
    return cub::DeviceSegmentedReduce::Reduce(d_work, *work_bytes, (const T *)d_in, (T *)d_out,
                                              rows, begin, begin + 1, Op(), Op::identity(), stream);
}

extern "C" const step_t step = {
    .summary = "cub::DeviceSegmentedReduce, one segment a row",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
