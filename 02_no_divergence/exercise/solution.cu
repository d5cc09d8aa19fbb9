// SPDX-License-Identifier: MIT
//
// Exercise 02: all levels of the Haar transform, by whole warps.
//
// Each SEGMENT of 512 elements is transformed alone. At each level, neighbours form pairs: a pair
// (a, b) leaves its mean (a + b) / 2 for the next level, and its detail (a - b) / 2 goes to d_out.
// In the segment's part of d_out, element 0 gets the last mean. Of a level with P pairs, the detail
// of pair k goes to element P + k. Write the parts that are marked. Do not change the rest.
#include <cuda_runtime.h>
#include <stddef.h>

#define SEGMENT 512    // a power of two: the levels halve it down to 1
#define BLOCK_SIZE 256 // the pairs of the first level

// Launch: BLOCK_SIZE threads a block, one block a segment. d_in needs no alignment.
// d_out has whole segments; elements past n count as 0.
__global__ void haar_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_mean[SEGMENT];
    const unsigned tid = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * SEGMENT; // of this block's elements
    // >>> solution
    for (unsigned k = tid; k < SEGMENT; k += BLOCK_SIZE) {
        s_mean[k] = first + k < n ? d_in[first + k] : 0.0f;
    }
    __syncthreads(); // all elements are in place

    // stride 1: thread 0 takes the pair [0] [1], thread 1 takes [2] [3], ..., all 256 threads work
    // stride 2: thread 0 takes the means [0] [2], thread 1 takes [4] [6], ..., 128 threads work
    for (unsigned stride = 1; stride < SEGMENT; stride *= 2) {
        const unsigned pairs = SEGMENT / (2 * stride);
        if (tid < pairs) {
            const unsigned left = 2 * stride * tid;
            const float a = s_mean[left];
            const float b = s_mean[left + stride];
            s_mean[left] = 0.5f * (a + b);
            d_out[first + pairs + tid] = 0.5f * (a - b);
        }
        __syncthreads(); // this level's means are in place
    }
    if (tid == 0) {
        d_out[first] = s_mean[0];
    }
    // --- exercise
    // // First the block's elements, two for each thread. Then a round for each level. This makes
    // // neither: which threads take the pairs of a level, and where do they find a and b?
    // if (first + tid < n) {
    //     s_mean[tid] = d_in[first + tid];
    //     d_out[first + tid] = s_mean[tid];
    // }
    // <<<
}

// n may be 0: then d_out has no elements.
static cudaError_t launch(const float *d_in, float *d_out, size_t n, cudaStream_t stream)
{
    const size_t blocks = (n + SEGMENT - 1) / SEGMENT;
    if (blocks > 0) {
        haar_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_out, n);
    }
    return cudaGetLastError();
}

// The entry that the grader calls. Do not change it. No scratch memory is needed.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    return launch((const float *)d_in[0], (float *)d_out[0], size[0], stream);
}
