// SPDX-License-Identifier: MIT
// Fault: the maximum of the row is not taken off: exp(x) overflows for x > 88, and is 0 in the
// whole row where all x < -103. Shows for large values alone.
#include "step.h"

#define WARP_SIZE 32

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
    float sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum += expf(d_row[k]);
    }
    sum = warp_sum(sum);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = expf(d_row[k]) / sum;
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
    .summary = "fault: softmax without the maximum",
    .softmax = {launch},
};
