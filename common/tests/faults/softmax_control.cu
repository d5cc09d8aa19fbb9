// SPDX-License-Identifier: MIT
// Control: no fault. A softmax in three passes, one warp a row.
#include "rows.cuh"

__global__ void softmax_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float max = -INFINITY, sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        max = max > d_row[k] || max != max ? max : d_row[k];
    }
    max = warp_max(max);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum += expf(d_row[k] - max);
    }
    sum = warp_sum(sum);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = expf(d_row[k] - max) / sum;
    }
}

extern "C" const step_t step = {.summary = "control: softmax in three passes",
                                .softmax = {launch_rows<float, softmax_kernel>}};
