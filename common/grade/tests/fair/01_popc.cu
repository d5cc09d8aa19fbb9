// SPDX-License-Identifier: MIT
// Fair: each warp counts by __popc of a ballot, and a tree adds the counts of the warps.
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 256 // a power of two: the tree halves it down to 1

typedef unsigned long long count_t;

// The sum of `value` over the threads of the block. Thread 0 gets it; for others it means nothing.
__device__ count_t block_sum(count_t value)
{
    __shared__ count_t s_count[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    // >>> solution
    s_count[tid] = value;
    __syncthreads(); // all values are in place

    // stride 128: thread 0 adds [0]+[128], thread 1 adds [1]+[129], ...
    // stride 1:   thread 0 adds [0]+[1]
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_count[tid] += s_count[tid + stride];
        }
        __syncthreads(); // this round's sums are in place
    }
    return s_count[0];
    // --- exercise
    // // Add up s_count[0] to s_count[BLOCK_SIZE - 1] here, as lesson 01 does.
    // s_count[tid] = value;
    // return s_count[tid];
    // <<<
}

// Pass 1: d_partials[b] is how many elements of block b are above the threshold.
__global__ void count_kernel(const float *d_in, count_t *d_partials, size_t n, float threshold)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    // >>> solution
    const count_t mine = (count_t)__popc(__ballot_sync(0xffffffffu, i < n && d_in[i] > threshold));
    const count_t sum = block_sum(threadIdx.x % 32 == 0 ? mine : 0);
    // --- exercise
    // const count_t sum = block_sum(i < n); // counts all elements: look at d_in[i] as well
    // <<<
    if (threadIdx.x == 0) {
        d_partials[blockIdx.x] = sum;
    }
}

// Later passes: d_partials[b] is the sum of the 256 values of block b.
__global__ void sum_kernel(const count_t *d_in, count_t *d_partials, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    // >>> solution
    const count_t sum = block_sum(i < n ? d_in[i] : 0);
    // --- exercise
    // const count_t sum = block_sum(i < n); // counts the partials: add their values
    // <<<
    if (threadIdx.x == 0) {
        d_partials[blockIdx.x] = sum;
    }
}

// Writes the number of elements of d_in[0 .. n - 1] that are above the threshold to *d_count.
// n may be 0. Scratch: the partials of all passes.
static cudaError_t launch(const float *d_in, count_t *d_count, size_t n, float threshold,
                          void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    size_t blocks = n > 0 ? (n + BLOCK_SIZE - 1) / BLOCK_SIZE : 1;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(count_t); // each pass is 256 times smaller
        return cudaSuccess;
    }

    count_t *d_partials = (count_t *)d_work;
    // >>> solution
    count_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, blocks == 1 ? d_count : d_partials, n,
                                                    threshold);
    while (blocks > 1) {
        const count_t *d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
        sum_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, blocks == 1 ? d_count : d_partials, n);
    }
    // --- exercise
    // // One pass is not enough when there is more than one block.
    // count_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_partials, n, threshold);
    // <<<
    return cudaGetLastError();
}

// The entry that the grader calls. Do not change it.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return launch((const float *)d_in[0], (count_t *)d_out[0], size[0], (float)size[1], d_work,
                  work_bytes, stream);
}
