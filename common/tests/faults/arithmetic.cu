// SPDX-License-Identifier: MIT
//
// arithmetic.cu - reductions of the right elements, with the wrong identity, precision or NaN. In
// values.cu are those that show for some sizes only.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/arithmetic --check --quick
// Run: FAULT=$CASE $BUILD/faults/arithmetic --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: product_control - no fault: overflow, underflow, 0, Inf and NaN as in IEEE 754
// Run: $BUILD/faults/arithmetic --check --quick
// Full: $BUILD/faults/arithmetic --check
// Exit: 0
// Matches: check ok
#include <cuda_fp16.h>

#include "plants.cuh"
#include "reduce.cuh"

template <typename T>
__global__ void product_control(const T *d_in, T *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<T, prod_op<T>>(i < n ? d_in[i] : prod_op<T>::identity(), d_out);
}

// Case: absolute_sum - adds absolute values. Shows if an element is negative
// Says: this is the sum of |x|
__global__ void absolute_sum(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree(i < n ? fabsf(d_in[i]) : 0.0f, d_out);
}

// Case: low_precision - the partials are rounded to 11 bits of mantissa (f16)
// Says: only about 3 digits
__global__ void low_precision(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float sum = block_tree(i < n ? d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = (float)(half)sum;
    }
}

// Case: double_in_float - f64 is added in f32, as a forgotten suffix or type does
// Says: only about 7 digits
__global__ void double_in_float(const double *d_in, double *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float sum = block_tree(i < n ? (float)d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = sum;
    }
}

// Case: int_in_float - integers are added as floats, which hold 24 bits and do not wrap
// Says: a float holds 24
__global__ void int_in_float(const int *d_in, int *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float sum = block_tree(i < n ? (float)d_in[i] : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = (int)sum;
    }
}

// Case: nan_zeroed - a NaN counts as 0, so the sum looks right
// Says: a NaN among the elements
__global__ void nan_zeroed(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float x = i < n ? d_in[i] : 0.0f;
    store_tree(x == x ? x : 0.0f, d_out); // NaN alone differs from itself
}

struct fmaxf_op {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Case: nan_lost_max - fmaxf takes the other operand if one is NaN
// Says: a NaN is lost
__global__ void nan_lost_max(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<float, fmaxf_op>(i < n ? d_in[i] : -INFINITY, d_out);
}

// Case: identity_smallest_max - std::numeric_limits<float>::min() is the smallest positive number;
// lowest() is meant. For int the two are the same.
constexpr float smallest = std::numeric_limits<float>::min();
__global__ void identity_smallest_max(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<float, max_op<float>>(i < n ? d_in[i] : smallest, d_out);
}

// Case: identity_zero_max - places without an element hold 0, larger than any negative number
// Says: 0 is not an element, yet it wins: the identity of max is -inf
template <typename T>
__global__ void identity_zero_max(const T *d_in, T *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<T, max_op<T>>(i < n ? d_in[i] : T(0), d_out);
}

// Case: identity_zero_min - they hold 0, smaller than any positive number
template <typename T>
__global__ void identity_zero_min(const T *d_in, T *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<T, min_op<T>>(i < n ? d_in[i] : T(0), d_out);
}

// Case: product_zero_start - a product starts at 0: whatever the elements are, it is 0
__global__ void product_zero_start(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<float, prod_op<float>>(i < n ? d_in[i] : 0.0f, d_out);
}

// Case: product_zero_skipped - factors of 0 are skipped, as terms of 0 may be
__global__ void product_zero_skipped(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree<float, prod_op<float>>(i < n && d_in[i] != 0.0f ? d_in[i] : 1.0f, d_out);
}

// Case: product_by_logarithms - 2 to the sum of log2 |x|, a trick against overflow: no sign
__global__ void product_by_logarithms(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    const float sum = block_tree(i < n ? log2f(fabsf(d_in[i])) : 0.0f);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = exp2f(sum);
    }
}

// Case: product_empty_zero - the product of no elements is 0, by a memset instead of a launch
// Says: the identity of prod, 1
static cudaError_t product_empty_zero(const void *d_in, void *d_out, size_t n, void *d_work,
                                      size_t *work_bytes, cudaStream_t stream)
{
    if (n == 0 && d_work != NULL) {
        return cudaMemsetAsync(d_out, 0, sizeof(float), stream);
    }
    return launch_passes<float, product_control<float>>(d_in, d_out, n, d_work, work_bytes, stream);
}

static const fault_t faults[] = {
    {"product_control",
     {.reduce = {{NULL, NULL, NULL, launch_passes<float, product_control<float>>},
                 {NULL, NULL, NULL, launch_passes<double, product_control<double>>},
                 {NULL, NULL, NULL, launch_passes<int, product_control<int>>}}}},
    {"absolute_sum", {.reduce = {{launch_passes<float, absolute_sum>}}}},
    {"low_precision", {.reduce = {{launch_passes<float, low_precision>}}}},
    {"double_in_float", {.reduce = {{}, {launch_passes<double, double_in_float>}}}},
    {"int_in_float", {.reduce = {{}, {}, {launch_passes<int, int_in_float>}}}},
    {"nan_zeroed", {.reduce = {{launch_passes<float, nan_zeroed>}}}},
    {"nan_lost_max", {.reduce = {{NULL, launch_passes<float, nan_lost_max>}}}},
    {"identity_smallest_max", {.reduce = {{NULL, launch_passes<float, identity_smallest_max>}}}},
    {"identity_zero_max",
     {.reduce = {{NULL, launch_passes<float, identity_zero_max<float>>},
                 {},
                 {NULL, launch_passes<int, identity_zero_max<int>>}}}},
    {"identity_zero_min",
     {.reduce = {{NULL, NULL, launch_passes<float, identity_zero_min<float>>},
                 {},
                 {NULL, NULL, launch_passes<int, identity_zero_min<int>>}}}},
    {"product_zero_start",
     {.reduce = {{NULL, NULL, NULL, launch_passes<float, product_zero_start>}}}},
    {"product_zero_skipped",
     {.reduce = {{NULL, NULL, NULL, launch_passes<float, product_zero_skipped>}}}},
    {"product_by_logarithms",
     {.reduce = {{NULL, NULL, NULL, launch_passes<float, product_by_logarithms>}}}},
    {"product_empty_zero", {.reduce = {{NULL, NULL, NULL, product_empty_zero}}}},
};

extern "C" const step_t step = planted(faults);
