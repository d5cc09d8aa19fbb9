// SPDX-License-Identifier: MIT
// Fault: the lanes past the end of a row count as 0 instead of -Infinity: each adds exp(0 - max) to
// the sum. Shows for cols that are not a multiple of 32.
// Cause: the row adds up to
#include "rows.cuh"

// Element k of a row, or its replacement past the row's end.
__device__ float padded(const float *d_row, size_t cols, size_t k)
{
    return k < cols ? d_row[k] : 0.0f;
}

__global__ void softmax_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float max = -INFINITY, sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols + threadIdx.x; k += WARP_SIZE) {
        const float x = padded(d_row, cols, k);
        max = max > x || max != max ? max : x;
    }
    max = warp_max(max);
    for (size_t k = threadIdx.x; k < cols + threadIdx.x; k += WARP_SIZE) {
        sum += expf(padded(d_row, cols, k) - max);
    }
    sum = warp_sum(sum);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = expf(d_row[k] - max) / sum;
    }
}

extern "C" const step_t step = {.summary = "fault: softmax with rows padded by 0",
                                .softmax = {launch_rows<float, softmax_kernel>}};
