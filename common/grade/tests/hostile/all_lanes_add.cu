// SPDX-License-Identifier: MIT
// Hostile: no tree: all lanes of a warp add all values of the block, each for itself.
// Expected: 80: a tree:
#include <cuda_runtime.h>

__global__ void count_kernel(const float *d_in, unsigned long long *d_partials, size_t n,
                             float threshold)
{
    __shared__ unsigned char s_above[256];
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    s_above[threadIdx.x] = i < n && d_in[i] > threshold;
    __syncthreads();
    unsigned long long sum = 0;
    for (int k = 0; k < 256; k++)
        sum += s_above[k];
    if (threadIdx.x == 0)
        d_partials[blockIdx.x] = sum;
}
__global__ void sum_kernel(const unsigned long long *d_partials, unsigned long long *d_count,
                           size_t n)
{
    unsigned long long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += d_partials[i];
    *d_count = sum;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t blocks = (size[0] + 255) / 256;
    *work_bytes = 8 * blocks;
    if (d_work == NULL)
        return cudaSuccess;
    if (blocks > 0)
        count_kernel<<<blocks, 256, 0, stream>>>(
            (const float *)d_in[0], (unsigned long long *)d_work, size[0], (float)size[1]);
    sum_kernel<<<1, 32, 0, stream>>>((unsigned long long *)d_work, (unsigned long long *)d_out[0],
                                     blocks);
    return cudaGetLastError();
}
