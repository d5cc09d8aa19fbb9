// SPDX-License-Identifier: MIT
// Fault: 16 warps leave 16 sums, and the lanes 16 to 31 that should add 0 add those sums again.
// Shows if the sum is not 0.
// Cause: every element is counted 4 times
#define BLOCK_SIZE 512
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[WARPS];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    const float sum = warp_sum(value);
    if (tid % WARP_SIZE == 0) {
        s_warp[tid / WARP_SIZE] = sum;
    }
    __syncthreads(); // the results of all warps are in place
    if (tid < WARP_SIZE) {
        value = warp_sum(s_warp[tid % WARPS]);
    }
    if (tid == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: the sum of each warp counts twice",
                                .reduce = {{launch_grid<reduce_kernel>}}};
