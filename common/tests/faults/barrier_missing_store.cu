// SPDX-License-Identifier: MIT
// Fault: no barrier between the stores to shared memory and the tree. Warp 0 reads elements that
// the other warps, kept busy here, have not stored yet. Shows for every n.
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

    if (tid < 32 || busy(tid) != 0) {
        s_data[tid] = i < n ? d_in[i] : 0.0f;
    }
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] += s_data[tid + stride];
        }
        __syncthreads(); // this round's sums are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

extern "C" const step_t step = {.summary = "fault: no barrier after the store",
                                .reduce = {{launch_passes<float, reduce_kernel>}}};
