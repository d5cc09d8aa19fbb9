// SPDX-License-Identifier: MIT
// Fault: one element a thread and no bounds check, so that the last block writes past the end.
// Shows for every n that is not a multiple of 256.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    d_out[i] = d_in[i] < 0.0f ? 0.0f : d_in[i];
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        map_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: no bounds check", .map = {{launch}}};
