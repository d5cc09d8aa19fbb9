// SPDX-License-Identifier: MIT
// Fault: each warp adds its sum to the output, which was never set to 0. Shows for every n.
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = warp_sum(value);
    if (threadIdx.x % WARP_SIZE == 0) {
        atomicAdd(d_out, value);
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    reduce_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: adds to an output that was not cleared",
                                .reduce = {{launch}}};
