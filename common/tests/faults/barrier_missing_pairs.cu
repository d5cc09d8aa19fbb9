// SPDX-License-Identifier: MIT
// Fault: no barrier between the rounds of the tree of lesson 01. Warp 0 reads sums that the other
// warps, kept busy here, have not stored yet. Shows for n > 33.
#include "reduce.cuh"

// Keeps a thread busy for some thousand cycles. The result is never 0, but no compiler knows that.
__device__ unsigned busy(unsigned state)
{
    for (int k = 0; k < 300; k++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    return state;
}

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : 0.0f;
    __syncthreads(); // all elements are in place
    const bool ready = tid < 32 || busy(tid) != 0;
    for (unsigned stride = 1; stride < BLOCK_SIZE; stride *= 2) {
        if (ready && tid % (2 * stride) == 0) {
            s_data[tid] += s_data[tid + stride];
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

extern "C" const step_t step = {.summary = "fault: no barrier between the rounds",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
