// SPDX-License-Identifier: MIT
// Right without the idea: each call is checked, and a return in the middle forgets to free.
// Expected: 80 points
#include <cuda_runtime.h>
#include <stddef.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            return error;                                                                          \
        }                                                                                          \
    } while (0)

__global__ void scale(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_out[i] = 2.0f * d_in[i] + 1.0f;
    }
}

extern "C" cudaError_t run(const float *h_in, float *h_out, size_t n)
{
    float *d_in = NULL, *d_out = NULL;
    if (n == 0) {
        return cudaSuccess;
    }
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    CHECK(cudaMemcpy(d_in, h_in, n * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return cudaSuccess;
}

extern "C" cudaError_t solve(const void *const *h_in, void *const *h_out, const size_t *size,
                             void *, size_t *, cudaStream_t)
{
    return run((const float *)h_in[0], (float *)h_out[0], size[0]);
}
