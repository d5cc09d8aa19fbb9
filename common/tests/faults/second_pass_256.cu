// SPDX-License-Identifier: MIT
// Fault: the second pass always reads 256 partials, which is right only for a grid of 256 blocks.
// Shows for n <= 65280, for which the grid is smaller.
// Cause: scratch is read before it is written
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const size_t needed = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t at_least_one = needed > 0 ? needed : 1;
    const size_t blocks = at_least_one < 256 ? at_least_one : 256;
    if (d_work == NULL) {
        *work_bytes = 256 * sizeof(float);
        return cudaSuccess;
    }
    float *d_partials = (float *)d_work;
    grid_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in, d_partials, n);
    grid_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_partials, (float *)d_out, 256);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: the second pass assumes 256 partials",
                                .reduce = {{launch}}};
