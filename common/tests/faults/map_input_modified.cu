// SPDX-License-Identifier: MIT
// Fault: relu is done in place and then copied. The output is right, the input is destroyed. Shows
// where an element is negative.
#include "step.h"

#define BLOCK_SIZE 256
#define GRID_SIZE 8

__global__ void map_kernel(float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        if (d_in[k] < 0.0f) {
            d_in[k] = 0.0f;
        }
        d_out[k] = d_in[k];
    }
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    map_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((float *)d_in[0], (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: writes to its input",
    .map = {{launch}},
};
