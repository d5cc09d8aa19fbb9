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
    // --- your part
    // d_out[i] = 2.0f * d_in[i] + 1.0f;
    // --- end of your part
}

// --- your part
// Functions of your own may go here.
// --- end of your part

// The arrays are in host memory. Returns cudaSuccess, or the first error; in either case nothing
// stays allocated on the device. n may be 0: then there is nothing to do.
extern "C" cudaError_t run(const float *h_in, float *h_out, size_t n)
{
    // --- your part
    // Allocate d_in and d_out, copy h_in there, launch, copy back, free. Check each call.
    return cudaSuccess;
    // --- end of your part
}

// The entry that the grader calls. Do not change it.
extern "C" cudaError_t solve(const void *const *h_in, void *const *h_out, const size_t *size,
                             void *, size_t *, cudaStream_t)
{
    return run((const float *)h_in[0], (float *)h_out[0], size[0]);
}
