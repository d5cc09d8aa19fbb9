// SPDX-License-Identifier: MIT
//
// 06 cub: the same job by NVIDIA's library.
//
// Idea          cub::DeviceReduce does in one call what 01 to 05 built up. With a null scratch
//               pointer it only sets the size, so our contract passes straight through.
// What changes  Block size, items a thread and grid come from CUB's tuning tables.
// What is slow  For small n beyond 4096 floats the two launches, as in 05. CUB's own maximum drops
//               a NaN on its right and ours keeps every one, so max and min give our operator to
//               DeviceReduce::Reduce.
// Next          07 leaves reductions: one output for every input.
// Source        "Reduce 0 to 3 and inside CUB"; CUB documentation, cub::DeviceReduce.
#include <cub/cub.cuh>

#include "ops.cuh"
#include "step.h"

// The sum. CUB fixes its order: the same bits every run, from one alignment, on one GPU and one
// version of CUB.
template <typename T>
static cudaError_t launch_sum(const void *d_in, void *d_out, size_t n, void *d_work,
                              size_t *work_bytes, cudaStream_t stream)
{
    return cub::DeviceReduce::Sum(d_work, *work_bytes, (const T *)d_in, (T *)d_out, n, stream);
}

// Any operator with its identity, 1 for a product. max and min do not depend on the order.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    return cub::DeviceReduce::Reduce(d_work, *work_bytes, (const T *)d_in, (T *)d_out, n, Op(),
                                     Op::identity(), stream);
}

extern "C" const step_t step = {
    .summary = "cub::DeviceReduce",
    .reduce = {{launch_sum<float>, launch<float, max_op<float>>, launch<float, min_op<float>>,
                launch<float, prod_op<float>>},
               {launch_sum<double>, launch<double, max_op<double>>, launch<double, min_op<double>>,
                launch<double, prod_op<double>>},
               {launch_sum<int>, launch<int, max_op<int>>, launch<int, min_op<int>>,
                launch<int, prod_op<int>>}},
};
