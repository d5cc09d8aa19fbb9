// SPDX-License-Identifier: MIT
//
// softmax.cu - what a softmax of rows gets wrong: the maximum, and the sum.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/softmax --check --quick
// Run: FAULT=$CASE $BUILD/faults/softmax --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: softmax_control - no fault: three passes, one warp a row
// Run: $BUILD/faults/softmax --check --quick
// Full: $BUILD/faults/softmax --check
// Exit: 0
// Matches: check ok
#include <cuda_fp16.h>

#include "plants.cuh"
#include "rows.cuh"

__device__ float larger(float max, float x)
{
    return max > x || max != max ? max : x; // NaN stays
}

// The maximum of the row, for every lane.
template <typename T>
__device__ float row_max(const T *d_row, size_t cols)
{
    float max = -INFINITY;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        max = larger(max, (float)d_row[k]);
    }
    return warp_max(max);
}

// Writes exp(x - max) / sum to the row of this block.
template <typename T>
__device__ void store_row(const T *d_row, T *d_out, size_t cols, float max, float sum)
{
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = expf((float)d_row[k] - max) / sum;
    }
}

// Sums up exp(x - max), with the maximum given.
__device__ float row_sum(const float *d_row, size_t cols, float max)
{
    float sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum += expf(d_row[k] - max);
    }
    return warp_sum(sum);
}

__global__ void softmax_control(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    const float max = row_max(d_row, cols);
    store_row(d_row, d_out, cols, max, row_sum(d_row, cols, max));
}

// Case: softmax_no_max - exp(x) overflows for x > 88, and is 0 in the whole row if all x < -103
__global__ void softmax_no_max(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    store_row(d_row, d_out, cols, 0.0f, row_sum(d_row, cols, 0.0f));
}

// exp(x - max), for scaled_max = max * log2(e).
__device__ float exponential(float x, float scaled_max)
{
    const float log2_e = 1.44269504f;
    return exp2f(fmaf(x, log2_e, -scaled_max));
}

// Case: softmax_folded_max - the maximum is taken off after the product with log2(e), in one fma.
// Its own product was rounded, so its exponent is the rounding error instead of 0. Shows from |x|
// of about 1.5e9 on: there the error reaches 128, and 2^128 overflows. Below, the quotient hides
// it.
__global__ void softmax_folded_max(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    const float scaled_max = row_max(d_row, cols) * 1.44269504f; // log2(e)
    float sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum += exponential(d_row[k], scaled_max);
    }
    sum = warp_sum(sum);
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        d_out[blockIdx.x * cols + k] = exponential(d_row[k], scaled_max) / sum;
    }
}

// Case: softmax_stale_max - the online form without the scaling: if a lane finds a larger maximum,
// its sum so far stays relative to the old one. Shows for cols > 32.
__global__ void softmax_stale_max(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float mine = -INFINITY, sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        mine = larger(mine, d_row[k]);
        sum += expf(d_row[k] - mine);
    }
    const float max = warp_max(mine);
    sum = warp_sum(mine == -INFINITY ? 0.0f : sum * expf(mine - max));
    store_row(d_row, d_out, cols, max, sum);
}

// Case: softmax_half_sum - the sum of an f16 softmax is kept in f16: 11 bits
__global__ void softmax_half_sum(const half *d_in, half *d_out, size_t cols)
{
    const half *d_row = d_in + blockIdx.x * cols;
    const float max = row_max(d_row, cols);
    half sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        sum = (float)sum + expf((float)d_row[k] - max);
    }
    store_row(d_row, d_out, cols, max, warp_sum(sum));
}

// Element k of a row, or its replacement past the row's end.
__device__ float padded(const float *d_row, size_t cols, size_t k)
{
    return k < cols ? d_row[k] : 0.0f;
}

// Case: softmax_pad_zero - lanes past the end of a row count as 0 instead of -Infinity
// Says: the row adds up to
__global__ void softmax_pad_zero(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float max = -INFINITY, sum = 0.0f;
    for (size_t k = threadIdx.x; k < cols + threadIdx.x; k += WARP_SIZE) {
        max = larger(max, padded(d_row, cols, k));
    }
    max = warp_max(max);
    for (size_t k = threadIdx.x; k < cols + threadIdx.x; k += WARP_SIZE) {
        sum += expf(padded(d_row, cols, k) - max);
    }
    store_row(d_row, d_out, cols, max, warp_sum(sum));
}

static const fault_t faults[] = {
    {"softmax_control", {.softmax = {launch_rows<float, softmax_control>}}},
    {"softmax_no_max", {.softmax = {launch_rows<float, softmax_no_max>}}},
    {"softmax_folded_max", {.softmax = {launch_rows<float, softmax_folded_max>}}},
    {"softmax_stale_max", {.softmax = {launch_rows<float, softmax_stale_max>}}},
    {"softmax_half_sum", {.softmax = {NULL, NULL, NULL, launch_rows<half, softmax_half_sum>}}},
    {"softmax_pad_zero", {.softmax = {launch_rows<float, softmax_pad_zero>}}},
};

extern "C" const step_t step = planted(faults);
