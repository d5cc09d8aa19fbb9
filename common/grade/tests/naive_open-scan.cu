// SPDX-License-Identifier: MIT
// Naive: a round for each power of two, and each of them through global memory.
// Expected: 55 points
#include <cuda_runtime.h>
#include <stddef.h>

__global__ void round_kernel(const float *d_in, float *d_out, size_t n, size_t distance)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        d_out[i] = d_in[i] + (i >= distance ? d_in[i - distance] : 0.0f);
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t n = size[0], blocks = (n + 255) / 256;
    if (d_work == NULL) {
        *work_bytes = n * sizeof(float);
        return cudaSuccess;
    }
    const float *d_from = (const float *)d_in[0];
    unsigned rounds = 1;
    while ((size_t)1 << rounds < n) {
        rounds++;
    }
    for (unsigned r = 0; r < rounds && n > 0; r++) {
        float *d_to = (float *)((rounds - r) % 2 ? d_out[0] : d_work); // the last one is d_out
        round_kernel<<<blocks, 256, 0, stream>>>(d_from, d_to, n, (size_t)1 << r);
        d_from = d_to;
    }
    return cudaGetLastError();
}
