// SPDX-License-Identifier: MIT
//
// Bug-07a: d_out[i] is d_in[i] if that is above 0, else 0, for n floats. A NaN stays a NaN, so that
// an earlier mistake shows.
// Why:
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

#define BLOCK_SIZE 256

__global__ void relu_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        const float x = d_in[i];
        d_out[i] = fmaxf(x, 0.0f);
    }
}

// The entry that the grader calls. No scratch memory is needed.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = (size[0] + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        relu_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                                       size[0]);
    }
    return cudaGetLastError();
}
