// SPDX-License-Identifier: MIT
// Fault: no bounds check at all: every thread loads. Shows where the last block of a pass is not
// full.
#include "step.h"

#define BLOCK_SIZE 256

__global__ void reduce_kernel(const float *d_in, float *d_out)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = d_in[i];
    __syncthreads(); // all elements are in place
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] += s_data[tid + stride];
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(float);
        return cudaSuccess;
    }

    const float *d_src = (const float *)d_in;
    float *d_partials = (float *)d_work;
    while (blocks > 1) {
        reduce_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials);
        d_src = d_partials;
        d_partials += blocks;
        blocks = (blocks + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    reduce_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_src, (float *)d_out);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: no bounds check",
    .reduce = {{launch}},
};
