// SPDX-License-Identifier: MIT
//
// 06 segments of one size: the rows of a matrix by the CUB call that knows their length.
//
// Idea          cub::DeviceSegmentedReduce takes a number and a size instead of offsets. Then it
//               can choose by the size: a few threads, a warp or a block for each segment.
// What changes  Against segmented: no iterator, and short rows share a block.
// Needs: nvcc's CUB
// Needs: CUB 3.1
// Source        CUB documentation, cub::DeviceSegmentedReduce.
#include <climits>
#include <cub/cub.cuh>

#include "ops.cuh"
#include "step.h"

template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (rows == 0) { // CUB returns at once, without the size
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (cols > INT_MAX) {
        return cudaErrorInvalidValue; // a size is an int
    }
    return cub::DeviceSegmentedReduce::Reduce(d_work, *work_bytes, (const T *)d_in, (T *)d_out,
                                              (int64_t)rows, (int)cols, Op(), Op::identity(),
                                              stream);
}

extern "C" const step_t step = {
    .summary = "cub::DeviceSegmentedReduce, segments of one size",
    .rows = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
              launch<float, min_op<float>>},
             {launch<double, sum_op<double>>, launch<double, max_op<double>>,
              launch<double, min_op<double>>},
             {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
