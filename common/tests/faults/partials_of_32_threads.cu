// SPDX-License-Identifier: MIT
// Fault (cpu): all 32 threads of warp 0 fetch a partial from an array of 32, and a block of 8 warps
// has stored 8. On a GPU the others are what an earlier block left there, often 0.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[WARP_SIZE];
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
    __syncthreads();                                       // the results of all warps are in place
    value = threadIdx.x < WARP_SIZE ? s_warp[lane] : 0.0f; // right: threadIdx.x < WARPS
    value = warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: 32 threads fetch the partials of 8 warps",
                                .reduce = {{launch_grid<reduce_kernel>}}};
