// SPDX-License-Identifier: MIT
// Fault: asks for one partial less than the first pass writes, so the last one lands past the end
// of the scratch. Shows for n > 256.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
        *work_bytes = (blocks > 1 ? blocks - 1 : 0) * sizeof(float);
        return cudaSuccess;
    }
    return launch_passes<float, tree_kernel>(d_in, d_out, n, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: scratch one partial too small",
                                .reduce = {{launch}}};
