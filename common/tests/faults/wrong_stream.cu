// SPDX-License-Identifier: MIT
// Fault: runs on the default stream, without waiting for it, so the result comes late. Shows for
// every n: the stream of each launch is compared with the one given.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t)
{
    return launch_passes<float, tree_kernel>(d_in, d_out, n, d_work, work_bytes, NULL);
}

extern "C" const step_t step = {.summary = "fault: runs on another stream", .reduce = {{launch}}};
