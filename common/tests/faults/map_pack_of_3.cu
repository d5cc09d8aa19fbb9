// SPDX-License-Identifier: MIT
// Fault: relu works on packs of 4 and takes 3 of each; gelu takes a limit too early.
// Cause: elements 3, 7,
// Cause: wrong where the input is from 2
#include "map.cuh"

__global__ void relu_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    for (size_t k = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; k < n; k += threads) {
        d_out[k] = k % 4 < 3 ? d_in[k] < 0 ? 0 : d_in[k] : 0;
    }
}

__global__ void gelu_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    for (size_t k = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; k < n; k += threads) {
        const float x = d_in[k];
        d_out[k] = x > 2 && x < 20 ? 2 * x : 0.5f * x * erfcf(-0.70710678f * x);
    }
}

extern "C" const step_t step = {
    .summary = "fault: 3 elements of a pack",
    .map = {{launch_map<float, float, relu_kernel>, launch_map<float, float, gelu_kernel>}}};
