// SPDX-License-Identifier: MIT
// Fault: the sum of an f16 softmax is kept in f16: 11 bits. Shows for some hundred columns.
#include <cuda_fp16.h>

#include "rows.cuh"

__global__ void softmax_kernel(const half *d_in, half *d_out, size_t cols)
{
    const half *d_row = d_in + blockIdx.x * cols;
    float max = -INFINITY;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        const float x = d_row[k];
        max = max > x || max != max ? max : x;
    }
    max = warp_max(max);
    half sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum = (float)sum + expf((float)d_row[k] - max);
    }
    const float total = warp_sum(sum);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = expf((float)d_row[k] - max) / total;
    }
}

extern "C" const step_t step = {.summary = "fault: f16 softmax with a sum in f16",
                                .softmax = {NULL, NULL, NULL, launch_rows<half, softmax_kernel>}};
