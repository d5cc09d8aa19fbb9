// SPDX-License-Identifier: MIT
// Fault: one block too few, so the last row is not written. Shows for rows > 0.
#include "step.h"

#define WARP_SIZE 32

// One warp a row.
__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float value = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        value += d_row[k];
    }
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
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
    if (rows > 1) {
        rows_kernel<<<rows - 1, WARP_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: the last row is missing",
    .rows = {{launch}},
};
