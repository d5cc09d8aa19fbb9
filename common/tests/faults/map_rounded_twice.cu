// SPDX-License-Identifier: MIT
// Fault: f64 to f16 by way of f32, rounded twice. Shows if f32 gives a tie.
// Cause: wrong in the last digit
#include <cuda_fp16.h>

#include "map.cuh"

__global__ void map_kernel(const double *d_in, half *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        d_out[k] = (float)d_in[k];
    }
}

extern "C" const step_t step = {
    .summary = "fault: f64 to f16 rounded twice",
    .map = {{}, {NULL, NULL, NULL, NULL, NULL, NULL, NULL, launch_map<double, half, map_kernel>}}};
