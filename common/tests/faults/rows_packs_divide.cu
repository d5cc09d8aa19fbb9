// SPDX-License-Identifier: MIT
// Fault: assumes that cols is a multiple of 4 and every row is aligned: no head and no tail. Shows
// if cols is not a multiple of 4, or d_in not at a 16-byte boundary.
#include "rows.cuh"

__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float4 *d_packs = (const float4 *)(d_in + blockIdx.x * cols);
    float value = 0.0f;
    for (size_t p = threadIdx.x; p < cols / 4; p += WARP_SIZE) {
        const float4 pack = d_packs[p];
        value += pack.x + pack.y + pack.z + pack.w;
    }
    value = warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: packs that must divide a row",
                                .rows = {{launch_rows<float, rows_kernel>}}};
