// SPDX-License-Identifier: MIT
// Fault: a cast to u8 rounds to nearest, while step.h truncates. Shows for 254.75 and -0.75.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, unsigned char *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        d_out[k] = (unsigned char)fminf(fmaxf(rintf(d_in[k]), 0.0f), 255.0f); // NaN to 0
    }
}

extern "C" const step_t step = {
    .summary = "fault: a cast to u8 rounds to nearest",
    .map = {{NULL, NULL, NULL, NULL, NULL, launch_map<float, unsigned char, map_kernel>}}};
