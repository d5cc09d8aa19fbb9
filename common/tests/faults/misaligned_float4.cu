// SPDX-License-Identifier: MIT
// Fault: reads float4 from wherever the input begins. Shows if d_in is not aligned to 16 bytes.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const float4 *d_packs = (const float4 *)d_in;

    float value = 0.0f;
    for (size_t p = i; p < n / 4; p += threads) {
        const float4 pack = d_packs[p];
        value += pack.x + pack.y + pack.z + pack.w;
    }
    if (i < n % 4) {
        value += d_in[n / 4 * 4 + i];
    }

    value = block_warps(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: float4 from any address",
                                .reduce = {{launch_grid<reduce_kernel>}}};
