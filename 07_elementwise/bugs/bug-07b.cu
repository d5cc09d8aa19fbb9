// SPDX-License-Identifier: MIT
//
// Bug-07b: d_out[i] = d_in[i - 1] + d_in[i] + d_in[i + 1] for n floats. Elements outside the array
// count as 0.
// Why:
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 256

__global__ void neighbours_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        const float left = i - 1 >= 0 ? d_in[i - 1] : 0.0f;
        const float right = i + 1 < n ? d_in[i + 1] : 0.0f;
        d_out[i] = left + d_in[i] + right;
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
        neighbours_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0],
                                                             (float *)d_out[0], size[0]);
    }
    return cudaGetLastError();
}
