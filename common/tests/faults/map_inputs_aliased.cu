// SPDX-License-Identifier: MIT
// Fault: the launcher passes the first input twice, so x * y becomes x * x. Shows if y differs
// from x.
// Cause: made of the inputs 0 and 0
#include "map.cuh"

__global__ void map_kernel(const float *d_x, const float *d_y, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        d_out[k] = d_x[k] * d_y[k];
    }
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    map_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (const float *)d_in[0],
                                                     (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: multiplies x by itself",
                                .map = {{NULL, NULL, launch}}};
