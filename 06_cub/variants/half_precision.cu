// SPDX-License-Identifier: MIT
//
// 06 half precision: elements of 16 bits by CUB, which accumulates in 32.
//
// Idea          CUB accumulates in the type that the operator returns. So sum_op<float> over half
//               adds in f32, and only the result is rounded to half.
// What changes  From kernel.cu only the type of the elements.
// What is slow  The same as there: for small n two launches.
// Source        CUB documentation, cub::DeviceReduce::Reduce, on the type of the accumulator.
#include <cub/cub.cuh>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"

template <typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    return cub::DeviceReduce::Reduce(d_work, *work_bytes, (const half *)d_in, (half *)d_out, n,
                                     Op(), Op::identity(), stream);
}

extern "C" const step_t step = {
    .summary = "cub::DeviceReduce over half, which accumulates in float",
    .reduce = {{}, // f32
               {}, // f64
               {}, // i32
               {launch<sum_op<float>>, launch<max_op<float>>, launch<min_op<float>>}},
};
