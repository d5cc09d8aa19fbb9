// SPDX-License-Identifier: MIT
// Fault: n = 0 returns early and leaves the output unchanged, instead of the identity. Shows only
// for n = 0.
// Cause: nothing is written
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work != NULL && n == 0) {
        return cudaSuccess;
    }
    return launch_passes<float, tree_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: n = 0 writes nothing", .reduce = {{launch}}};
