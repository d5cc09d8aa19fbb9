// SPDX-License-Identifier: MIT
// Fault: the sum of an f16 softmax is kept in f16: 11 bits. Shows for some hundred columns.
#include <cuda_fp16.h>

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

static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (rows > 0) {
        softmax_kernel<<<rows, WARP_SIZE, 0, stream>>>((const half *)d_in, (half *)d_out, cols);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: f16 softmax with a sum in f16",
    .softmax = {NULL, NULL, NULL, launch},
};
