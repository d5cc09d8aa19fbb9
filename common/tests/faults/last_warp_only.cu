// SPDX-License-Identifier: MIT
// Fault: every warp writes its own sum to the place of the block, and the last one stays. Shows
// where the warps of a block differ.
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define GRID_SIZE 8

__device__ float warp_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[k];
    }

    value = warp_sum(value);
    if (tid % WARP_SIZE == 0) {
        d_out[blockIdx.x] = value;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = GRID_SIZE * sizeof(float);
        return cudaSuccess;
    }
    float *d_partials = (float *)d_work;
    reduce_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, d_partials, n);
    reduce_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_partials, (float *)d_out, GRID_SIZE);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: one warp of a block counts",
    .reduce = {{launch}},
};
