// SPDX-License-Identifier: MIT
// Fault (cpu): every thread of a warp fetches a partial, even if there is none: a block of 8 warps
// has 8, a warp 32 lanes. On an H200 the words after the array were 0: the sum was right.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned warp = threadIdx.x / WARP_SIZE;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x; k < n; k += threads) {
        value += d_in[k];
    }
    value = warp_sum(value);
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads();                            // the results of all warps are in place
    value = warp < WARPS ? s_warp[lane] : 0.0f; // true for all; threadIdx.x < WARPS for 8
    value = warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: a partial for each thread of a warp",
                                .reduce = {{launch_grid<reduce_kernel>}}};
