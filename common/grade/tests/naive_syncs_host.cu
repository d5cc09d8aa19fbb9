// SPDX-License-Identifier: MIT
// Right without the idea: 64 calls that are checked, and then those that matter, which are not.
// Expected: 60 points
#include <cuda_runtime.h>
#include <stddef.h>

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
    for (int i = 0; i < 64; i++) {
        const cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            return error;
        }
    }
    if (n == 0) {
        return cudaSuccess;
    }
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, h_in, n * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(unsigned)((n + 255) / 256), 256>>>(d_in, d_out, n);
    cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    return cudaSuccess;
}

// The entry that the grader calls.
extern "C" cudaError_t solve(const void *const *h_in, void *const *h_out, const size_t *size,
                             void *, size_t *, cudaStream_t)
{
    return run((const float *)h_in[0], (float *)h_out[0], size[0]);
}
