// SPDX-License-Identifier: MIT
// Fault: no guard for the rows beyond the last, although a block takes 4 rows. Shows for every
// number of rows that is not a multiple of 4.
#include "rows.cuh"

#define WARPS 4 // rows that a block takes

__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    float value = 0.0f;
    for (size_t k = lane; k < cols; k += WARP_SIZE) {
        value += d_in[row * cols + k];
    }
    value = warp_sum(value);
    if (lane == 0) {
        d_out[row] = value;
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
        rows_kernel<<<(rows + WARPS - 1) / WARPS, WARPS * WARP_SIZE, 0, stream>>>(
            (const float *)d_in, (float *)d_out, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: rows beyond the last are read and written",
                                .rows = {{launch}}};
