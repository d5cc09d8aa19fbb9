// SPDX-License-Identifier: MIT
//
// Bug-06b: d_out[0] is the sum of n floats: a sum for each block, then one block for these sums.
// Why:
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 128

// The threads of all blocks take elements `step` apart, and each block leaves one sum.
__global__ void sum_kernel(const float *d_in, float *d_sums, size_t n, size_t step)
{
    extern __shared__ float s_data[];
    const unsigned tid = threadIdx.x;

    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n; i += step) {
        sum += d_in[i];
    }
    s_data[tid] = sum;
    __syncthreads();
    if (tid == 0) {
        for (unsigned t = 1; t < blockDim.x; t++) {
            sum += s_data[t];
        }
        d_sums[blockIdx.x] = sum;
    }
}

// The scratch holds a sum for each block.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t n = size[0], blocks = n / BLOCK_SIZE + 1;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(float);
        return cudaSuccess;
    }
    float *d_sums = (float *)d_work;
    const size_t bytes = BLOCK_SIZE * sizeof(float);
    sum_kernel<<<blocks, BLOCK_SIZE, bytes, stream>>>((const float *)d_in[0], d_sums, n,
                                                      blocks * BLOCK_SIZE);
    sum_kernel<<<1, blocks, blocks * sizeof(float), stream>>>(d_sums, (float *)d_out[0], blocks,
                                                              blocks);
    return cudaGetLastError();
}
