// SPDX-License-Identifier: MIT
// Fault (cpu): the last block is found by a __device__ variable: two concurrent launches would
// count together. Each alone is right.
// Cause: a kernel keeps state in a device variable: a store at
// Cause: state_kept.cu:17
#include "reduce.cuh"

__device__ unsigned done; // blocks that have left their sum; 0 between launches

__global__ void reduce_kernel(const float *d_in, float *d_out, float *d_sums, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const float sum = block_tree(i < n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_sums[blockIdx.x] = sum;
        __threadfence(); // the sum before the count
        if (atomicAdd(&done, 1) == gridDim.x - 1) {
            __threadfence(); // the count before the other sums
            double all = 0.0;
            for (unsigned b = 0; b < gridDim.x; b++) {
                all += d_sums[b];
            }
            d_out[0] = (float)all;
            done = 0;
        }
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const size_t blocks = n > 0 ? (n + BLOCK_SIZE - 1) / BLOCK_SIZE : 1;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(float);
        return cudaSuccess;
    }
    reduce_kernel<<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out,
                                                               (float *)d_work, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: a count in a variable of the device",
                                .reduce = {{launch}}};
