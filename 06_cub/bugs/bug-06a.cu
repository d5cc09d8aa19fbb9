// SPDX-License-Identifier: MIT
//
// Bug-06a: d_out[0] is the sum of n floats: a sum for each block, then one block for these sums.
// Why:
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 128

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

// The scratch holds a sum for each block.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t n = size[0], blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(float);
        return cudaSuccess;
    }
    float *d_sums = (float *)d_work;
    if (blocks > 0) {
        sum_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], d_sums, n);
    }
    sum_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_sums, (float *)d_out[0], blocks);
    return cudaGetLastError();
}
