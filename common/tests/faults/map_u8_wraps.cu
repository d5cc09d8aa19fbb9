// SPDX-License-Identifier: MIT
// Fault: a cast to u8 keeps the low 8 bits. Shows if x is below 0 or above 255: it saturates.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, unsigned char *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        const float x = fminf(fmaxf(d_in[k], -1e9f), 1e9f); // and NaN to -1e9, whose low bits are 0
        d_out[k] = (unsigned char)(int)x;
    }
}

extern "C" const step_t step = {
    .summary = "fault: a cast to u8 wraps",
    .map = {{NULL, NULL, NULL, NULL, NULL, launch_map<float, unsigned char, map_kernel>}}};
