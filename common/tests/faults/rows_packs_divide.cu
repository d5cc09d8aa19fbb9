// SPDX-License-Identifier: MIT
// Fault: takes cols for a multiple of 4 and every row for aligned: no head and no tail. Shows where
// cols is not a multiple of 4, or d_in not at a 16-byte boundary.
#include "step.h"

#define WARP_SIZE 32

// One warp a row.
__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float4 *d_packs = (const float4 *)(d_in + blockIdx.x * cols);
    float value = 0.0f;
    for (size_t p = threadIdx.x; p < cols / 4; p += WARP_SIZE) {
        const float4 pack = d_packs[p];
        value += pack.x + pack.y + pack.z + pack.w;
    }
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (rows > 0) {
        rows_kernel<<<rows, WARP_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: packs that must divide a row",
    .rows = {{launch}},
};
