// SPDX-License-Identifier: MIT
// Fault: k <= n also writes the element behind the last one. Shows for every n.
#include "step.h"

#define BLOCK_SIZE 256
#define GRID_SIZE 8

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k <= n; k += threads) {
        const float x = k < n ? d_in[k] : 0.0f;
        d_out[k] = x < 0.0f ? 0.0f : x;
    }
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    map_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: writes behind the end",
    .map = {{launch}},
};
