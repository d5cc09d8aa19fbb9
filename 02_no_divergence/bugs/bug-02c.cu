// SPDX-License-Identifier: MIT
//
// Bug-02c: d_out[0] is the sum of n floats. Each launch leaves a sum for each block, until there
// is only one.
// Why:
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 256

__global__ void sum_kernel(const float *d_in, float *d_sums, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : 0.0f;
    __syncthreads();

    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] += s_data[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        d_sums[blockIdx.x] = s_data[0];
    }
}

// The scratch holds a sum for each block of the first launch.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    size_t left = size[0], blocks = (left + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(float);
        return cudaSuccess;
    }
    const float *d_from = (const float *)d_in[0];
    float *d_sums = (float *)d_work;
    while (blocks > 1) {
        sum_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_from, d_sums, left);
        d_from = d_sums;
        left = blocks;
        blocks = (left + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    sum_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_from, (float *)d_out[0], left);
    return cudaGetLastError();
}
