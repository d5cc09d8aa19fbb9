// SPDX-License-Identifier: MIT
//
// 06 shared scratch: sum, maximum and minimum, one after the other, in one scratch buffer.
//
// Idea          A program that reduces in several ways asks each reduction for its size, and
//               allocates the largest once. On one stream a call ends before the next one begins,
//               so they may share. On two streams they would overwrite each other's partials.
// What changes  Each launch does all three. The contract wants one, so d_out gets the operator that
//               was asked for, and the two others go to the end of the scratch. The time is that
//               of three reductions, and GB/s counts the input once.
// Source        "Reduce 0 to 3 and inside CUB". It allocates the size times sizeof(int), though CUB
//               gives it in bytes.
#include <algorithm>
#include <cub/cub.cuh>

#include "ops.cuh"
#include "step.h"

// One reduction. With d_temp = NULL it sets temp_bytes and runs nothing.
enum { RESULTS = OP_MIN + 1 }; // sum, max, min

template <typename Op, typename T>
static cudaError_t reduce(void *d_temp, size_t &temp_bytes, const T *d_in, T *d_out, size_t n,
                          cudaStream_t stream)
{
    return cub::DeviceReduce::Reduce(d_temp, temp_bytes, d_in, d_out, n, Op(), Op::identity(),
                                     stream);
}

// Scratch: the largest of the three sizes, then at a multiple of 256 bytes three results, of which
// the one that was asked for goes to d_out instead. The same bits every run, as in 06.
template <typename T, reduce_op_t OP>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const T *d_src = (const T *)d_in;
    T *d_none = NULL;
    size_t bytes[RESULTS] = {};
    cudaError_t error = reduce<sum_op<T>>(NULL, bytes[OP_SUM], d_src, d_none, n, stream);
    if (error == cudaSuccess) {
        error = reduce<max_op<T>>(NULL, bytes[OP_MAX], d_src, d_none, n, stream);
    }
    if (error == cudaSuccess) {
        error = reduce<min_op<T>>(NULL, bytes[OP_MIN], d_src, d_none, n, stream);
    }
    size_t most = std::max({bytes[OP_SUM], bytes[OP_MAX], bytes[OP_MIN]});
    const size_t results_at = (most + 255) / 256 * 256;
    if (d_work == NULL || error != cudaSuccess) {
        *work_bytes = results_at + RESULTS * sizeof(T);
        return error;
    }

    T *d_results = (T *)((char *)d_work + results_at);
    T *d_sum = OP == OP_SUM ? (T *)d_out : &d_results[OP_SUM];
    T *d_max = OP == OP_MAX ? (T *)d_out : &d_results[OP_MAX];
    T *d_min = OP == OP_MIN ? (T *)d_out : &d_results[OP_MIN];
    error = reduce<sum_op<T>>(d_work, most, d_src, d_sum, n, stream);
    if (error == cudaSuccess) {
        error = reduce<max_op<T>>(d_work, most, d_src, d_max, n, stream);
    }
    if (error == cudaSuccess) {
        error = reduce<min_op<T>>(d_work, most, d_src, d_min, n, stream);
    }
    return error;
}

extern "C" const step_t step = {
    .summary = "three calls of cub::DeviceReduce, one scratch of the largest size",
    .reduce = {{launch<float, OP_SUM>, launch<float, OP_MAX>, launch<float, OP_MIN>},
               {launch<double, OP_SUM>, launch<double, OP_MAX>, launch<double, OP_MIN>},
               {launch<int, OP_SUM>, launch<int, OP_MAX>, launch<int, OP_MIN>}},
};
