// SPDX-License-Identifier: MIT
// Fault: only the first stage: every block writes its partial to the output, which has one element.
// Shows for n > 256.
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = n > 0 ? (n + BLOCK_SIZE - 1) / BLOCK_SIZE : 1;
    tree_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: only the first stage", .reduce = {{launch}}};
