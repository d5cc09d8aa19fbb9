// SPDX-License-Identifier: MIT
// Fault: the result goes to element 1 of the output, past its end. Shows for every n.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    float *d_second = (float *)d_out + 1;
    return launch_passes<float, tree_kernel>(d_in, d_second, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: writes past the output", .reduce = {{launch}}};
