// SPDX-License-Identifier: MIT
// Fault: f32 to f16 by cutting off the last 13 bits. Shows if rounding to nearest goes up.
#include <cuda_fp16.h>

#include "map.cuh"

__global__ void map_kernel(const float *d_in, half *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        const unsigned bits = __float_as_uint(d_in[k]);
        const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
        d_out[k] = __uint_as_float(is_finite ? bits & 0xffffe000u : bits);
    }
}

extern "C" const step_t step = {
    .summary = "fault: cast rounds towards zero",
    .map = {{NULL, NULL, NULL, NULL, launch_map<float, half, map_kernel>}}};
