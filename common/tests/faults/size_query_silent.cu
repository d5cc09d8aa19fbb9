// SPDX-License-Identifier: MIT
// Fault: asked for the scratch size, it answers only if it needs any. Shows for n <= 256.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL && n <= BLOCK_SIZE) {
        return cudaSuccess;
    }
    return launch_passes<float, tree_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: does not set the scratch size",
                                .reduce = {{launch}}};
