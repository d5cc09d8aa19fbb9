// SPDX-License-Identifier: MIT
// Fault: the online form without the scaling: where a lane finds a larger maximum, its sum so far
// stays one over the old maximum. Shows for cols > 32, where a later element is the larger one.
#include "step.h"

#define WARP_SIZE 32

// Every lane gets the largest value, or the sum, of the warp.
__device__ float warp_max(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
        value = value > other || value != value ? value : other;
    }
    return value;
}

__device__ float warp_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

// One warp a row.
__global__ void softmax_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float mine = -INFINITY, sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        mine = mine > d_row[k] || mine != mine ? mine : d_row[k];
        sum += expf(d_row[k] - mine);
    }
    const float max = warp_max(mine);
    sum = warp_sum(mine == -INFINITY ? 0.0f : sum * expf(mine - max));
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = expf(d_row[k] - max) / sum;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (rows > 0) {
        softmax_kernel<<<rows, WARP_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: online softmax with a stale maximum",
    .softmax = {launch},
};
