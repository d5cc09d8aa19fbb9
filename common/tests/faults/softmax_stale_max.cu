// SPDX-License-Identifier: MIT
// Fault: the online form without the scaling: if a lane finds a larger maximum, its sum so far
// stays relative to the old maximum. Shows for cols > 32, where a later element is the larger one.
#include "rows.cuh"

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

extern "C" const step_t step = {.summary = "fault: online softmax with a stale maximum",
                                .softmax = {launch_rows<float, softmax_kernel>}};
