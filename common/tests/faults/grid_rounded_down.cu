// SPDX-License-Identifier: MIT
// Fault: the number of blocks is n / 256 rounded down, so the last, partly filled block is
// missing. Shows for n > 256 that is not a multiple of 256.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = n / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(float);
        return cudaSuccess;
    }

    const float *d_src = (const float *)d_in;
    float *d_partials = (float *)d_work;
    while (blocks > 1) {
        tree_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = n / BLOCK_SIZE;
    }
    tree_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_src, (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: grid rounded down", .reduce = {{launch}}};
