// SPDX-License-Identifier: MIT
// Right without the idea: each thread does a whole segment of 512 alone, in a local array.
// Expected: 50 points
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 64
#define SEGMENT 512

__global__ void haar_kernel(const float *d_in, float *d_out, size_t n, size_t segments)
{
    const size_t segment = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (segment >= segments) {
        return;
    }
    const size_t first = segment * SEGMENT;
    float mean[SEGMENT];
    for (unsigned k = 0; k < SEGMENT; k++) {
        mean[k] = first + k < n ? d_in[first + k] : 0.0f;
    }
    for (unsigned pairs = SEGMENT / 2; pairs >= 1; pairs /= 2) {
        for (unsigned k = 0; k < pairs; k++) {
            const float a = mean[2 * k], b = mean[2 * k + 1];
            mean[k] = 0.5f * (a + b);
            d_out[first + pairs + k] = 0.5f * (a - b);
        }
    }
    d_out[first] = mean[0];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t segments = (size[0] + SEGMENT - 1) / SEGMENT;
    if (segments > 0) {
        haar_kernel<<<(segments + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE, 0, stream>>>(
            (const float *)d_in[0], (float *)d_out[0], size[0], segments);
    }
    return cudaGetLastError();
}
