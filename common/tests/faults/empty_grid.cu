// SPDX-License-Identifier: MIT
// Fault: n = 0 launches a grid of 0 blocks, which CUDA refuses. Shows only for n = 0.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work != NULL && blocks <= 1) {
        tree_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
        return cudaGetLastError();
    }
    return launch_passes<float, tree_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: n = 0 launches no block", .reduce = {{launch}}};
