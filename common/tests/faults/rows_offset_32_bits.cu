// SPDX-License-Identifier: MIT
// Fault (gpu): the offset of a row is an unsigned int, which ends at 2^32. Shows only for matrices
// with more elements; the emulator is not asked for so many. In f16, because it gets the largest
// shapes.
#include <cuda_fp16.h>

#include "rows.cuh"

#define WARPS 8 // rows that a block takes

__global__ void rows_kernel(const half *d_in, half *d_out, size_t rows, unsigned cols)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned row = blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    const unsigned offset = row * cols;
    float value = 0.0f;
    if (row >= rows) {
        return; // the whole warp: it has one row
    }
    for (unsigned k = lane; k < cols; k += WARP_SIZE) {
        value += (float)d_in[offset + k];
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
            (const half *)d_in, (half *)d_out, rows, (unsigned)cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: 32-bit offsets of rows",
                                .rows = {{}, {}, {}, {launch}}};
