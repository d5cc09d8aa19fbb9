// SPDX-License-Identifier: MIT
// Fault: asked for the scratch size, it runs the first pass at once, into the output. Shows for
// every n.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        tree_kernel<<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    }
    return launch_passes<float, tree_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: runs when asked for the scratch size",
                                .reduce = {{launch}}};
