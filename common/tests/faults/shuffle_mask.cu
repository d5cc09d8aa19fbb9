// SPDX-License-Identifier: MIT
// Fault (cpu): all 32 lanes call the shuffle, but its mask names lanes 0 to 15. That is undefined:
// a GPU may still give the right sum, the emulator refuses.
#include "reduce.cuh"

__device__ float wrong_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0x0000ffff, value, offset); // mask: lanes 0 to 15
    }
    return value;
}

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = block_warps<wrong_sum>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: the shuffle mask names half of the lanes",
                                .reduce = {{launch_grid<reduce_kernel>}}};
