// SPDX-License-Identifier: MIT
// Fault: the maximum of the row is not subtracted: exp(x) overflows for x > 88, and is 0 in the
// whole row if all x < -103. Shows only for large values.
#include "rows.cuh"

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

extern "C" const step_t step = {.summary = "fault: softmax without the maximum",
                                .softmax = {launch_rows<float, softmax_kernel>}};
