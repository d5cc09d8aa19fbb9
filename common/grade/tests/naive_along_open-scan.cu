// SPDX-License-Identifier: MIT
// Naive: one block goes along the array, with a round for each power of two in shared memory.
// Expected: 55 points
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 1024

__global__ void along_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    float before = 0.0f;
    for (size_t start = 0; start < n; start += BLOCK_SIZE) {
        const size_t i = start + tid;
        s_data[tid] = i < n ? d_in[i] : 0.0f;
        __syncthreads();
        for (unsigned distance = 1; distance < BLOCK_SIZE; distance *= 2) {
            const float left = tid >= distance ? s_data[tid - distance] : 0.0f;
            __syncthreads();
            s_data[tid] += left;
            __syncthreads();
        }
        if (i < n) {
            d_out[i] = before + s_data[tid];
        }
        before += s_data[BLOCK_SIZE - 1];
        __syncthreads();
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    along_kernel<<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
