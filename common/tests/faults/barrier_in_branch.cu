// SPDX-License-Identifier: MIT
// Fault (cpu): the barrier of a round is inside its `if`, so half of the threads skip it. On a GPU
// it may hang. Shows for every n.
// Cause: barrier not reached by all threads
#include "reduce.cuh"

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : 0.0f;
    __syncthreads(); // all elements are in place
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] += s_data[tid + stride];
            __syncthreads();
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

extern "C" const step_t step = {.summary = "fault: a barrier inside of an if",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
