// SPDX-License-Identifier: MIT
//
// Exercise host: h_out[i] = 2 h_in[i] + 1 for n floats in host memory, with every error checked.
//
// Write the parts that are marked. Do not change the rest.
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 256

// Each thread does one element, if there is one.
__global__ void scale(const float *d_in, float *d_out, size_t n)
{
    // >>> solution
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i < n) {
        d_out[i] = 2.0f * d_in[i] + 1.0f;
    }
    // --- exercise
    // // d_out[i] = 2.0f * d_in[i] + 1.0f;
    // <<<
}

// >>> solution
// Copies there, launches, copies back. The first error, or cudaSuccess.
static cudaError_t work(const float *h_in, float *h_out, float *d_in, float *d_out, size_t n)
{
    const size_t bytes = n * sizeof(float);
    cudaError_t error = cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        return error;
    }
    scale<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out, n);
    error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    return cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost); // it waits for the kernel
}
// --- exercise
// // Functions of your own may go here.
// <<<

// The arrays are in host memory. Returns cudaSuccess, or the first error; in either case nothing
// stays allocated on the device. n may be 0: then there is nothing to do.
extern "C" cudaError_t run(const float *h_in, float *h_out, size_t n)
{
    // >>> solution
    float *d_in = NULL, *d_out = NULL;
    if (n == 0) {
        return cudaSuccess;
    }
    cudaError_t error = cudaMalloc(&d_in, n * sizeof(float));
    if (error == cudaSuccess) {
        error = cudaMalloc(&d_out, n * sizeof(float));
    }
    if (error == cudaSuccess) {
        error = work(h_in, h_out, d_in, d_out, n);
    }
    const cudaError_t freed_in = cudaFree(d_in); // NULL is allowed
    const cudaError_t freed_out = cudaFree(d_out);
    if (error != cudaSuccess) {
        return error;
    }
    return freed_in != cudaSuccess ? freed_in : freed_out;
    // --- exercise
    // // Allocate d_in and d_out, copy h_in there, launch, copy back, free. Check each call.
    // return cudaSuccess;
    // <<<
}

// The entry that the grader calls. Do not change it.
extern "C" cudaError_t solve(const void *const *h_in, void *const *h_out, const size_t *size,
                             void *, size_t *, cudaStream_t)
{
    return run((const float *)h_in[0], (float *)h_out[0], size[0]);
}
