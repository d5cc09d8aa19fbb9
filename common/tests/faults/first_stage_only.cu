// SPDX-License-Identifier: MIT
// Fault: only the first stage: every block writes its partial to the output, which has one element.
// Shows for n > 256.
#include "step.h"

#define BLOCK_SIZE 256

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : 0.0f;
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
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = n > 0 ? (n + BLOCK_SIZE - 1) / BLOCK_SIZE : 1;
    reduce_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: only the first stage",
    .reduce = {{launch}},
};
