// SPDX-License-Identifier: MIT
// Fault: aligns its packs by the output alone and ignores the input. Shows if the two pointers
// are off by different amounts.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    const size_t to_boundary = (16 - (size_t)d_out % 16) % 16 / sizeof(float);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / 4;
    const float4 *d_packs = (const float4 *)(d_in + head);
    for (size_t p = i; p < packs; p += threads) {
        const float4 x = d_packs[p];
        const float4 y = {x.x < 0.0f ? 0.0f : x.x, x.y < 0.0f ? 0.0f : x.y, x.z < 0.0f ? 0.0f : x.z,
                          x.w < 0.0f ? 0.0f : x.w};
        ((float4 *)(d_out + head))[p] = y;
    }
    for (size_t k = i; k < n; k += threads) {
        if (k < head || k >= head + 4 * packs) {
            d_out[k] = d_in[k] < 0.0f ? 0.0f : d_in[k];
        }
    }
}

extern "C" const step_t step = {.summary = "fault: packs aligned by the output alone",
                                .map = {{launch_map<float, float, map_kernel>}}};
