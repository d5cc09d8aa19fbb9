// SPDX-License-Identifier: MIT
// Fault: the maximum is taken off after the product with log2(e), in one fma. The maximum's own
// product was rounded, so its exponent is the rounding error instead of 0. Shows only for |x| from
// about 1.5e9: there the error reaches 128, and 2^128 overflows. Below, the quotient hides it.
#include "rows.cuh"

// exp(x - max), for scaled_max = max * log2(e).
__device__ float exponential(float x, float scaled_max)
{
    const float log2_e = 1.44269504f;
    return exp2f(fmaf(x, log2_e, -scaled_max));
}

__global__ void softmax_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float max = -INFINITY, sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        max = max > d_row[k] || max != max ? max : d_row[k];
    }
    const float scaled_max = warp_max(max) * 1.44269504f; // log2(e)
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum += exponential(d_row[k], scaled_max);
    }
    sum = warp_sum(sum);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = exponential(d_row[k], scaled_max) / sum;
    }
}

extern "C" const step_t step = {.summary =
                                    "fault: softmax with the maximum taken off after scaling",
                                .softmax = {launch_rows<float, softmax_kernel>}};
