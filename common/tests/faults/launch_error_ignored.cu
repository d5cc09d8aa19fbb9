// SPDX-License-Identifier: MIT
// Fault: blocks of 2048 threads, which CUDA refuses, and the error is not reported. Shows for
// every n.
// Cause: a launch failed, and the launcher does not return it
#define BLOCK_SIZE 2048 // more than the 1024 that a block can have
#include "reduce.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    tree_kernel<<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    return cudaSuccess;
}

extern "C" const step_t step = {.summary = "fault: a refused launch reported as success",
                                .reduce = {{launch}}};
