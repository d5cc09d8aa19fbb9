// SPDX-License-Identifier: MIT
//
// maps.cu - what an elementwise step gets wrong: bounds, packs, inputs, the last digit.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/maps --check --quick
// Run: FAULT=$CASE $BUILD/faults/maps --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: map_control - no fault: relu, an element at a time, its NaN kept
// Run: $BUILD/faults/maps --check --quick
// Full: $BUILD/faults/maps --check
// Exit: 0
// Matches: check ok
#include <float.h>

#include "map.cuh"
#include "plants.cuh"

__device__ float relu(float x)
{
    return x < 0.0f ? 0.0f : x; // NaN stays NaN
}

__global__ void map_control(const float *d_in, float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        d_out[k] = relu(d_in[k]);
    }
}

// Case: map_past_end - k <= n also writes the element after the last one
__global__ void map_past_end(const float *d_in, float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k <= n; k += threads_in_grid()) {
        d_out[k] = relu(k < n ? d_in[k] : 0.0f);
    }
}

// Case: map_tail_unwritten - a thread does four elements at a time, and none the last n % 4
// Says: the last 3 elements of 4099 are not written
__global__ void map_tail_unwritten(const float *d_in, float *d_out, size_t n)
{
    for (size_t first = 4 * index_in_grid(); first + 3 < n; first += 4 * threads_in_grid()) {
        for (size_t k = first; k < first + 4; k++) {
            d_out[k] = relu(d_in[k]);
        }
    }
}

// Case: map_pack_order - elements 2 and 3 of each pack of four are swapped in the output
// Says: in each other's places
__global__ void map_pack_order(const float *d_in, float *d_out, size_t n)
{
    for (size_t first = 4 * index_in_grid(); first < n; first += 4 * threads_in_grid()) {
        for (size_t k = first; k < first + 4 && k < n; k++) {
            const size_t other = k % 4 < 2 ? k : k ^ 1; // 0, 1, 3, 2
            d_out[k] = relu(d_in[other < n ? other : k]);
        }
    }
}

// Case: map_pack_of_3 - relu works on packs of 4 and takes 3 of each; gelu takes a limit too early
// Says: elements 3, 7,
// Says: wrong where the input is from 2
__global__ void relu_of_3(const float *d_in, float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        d_out[k] = k % 4 < 3 ? relu(d_in[k]) : 0;
    }
}

__global__ void gelu_to_2(const float *d_in, float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        const float x = d_in[k];
        d_out[k] = x > 2 && x < 20 ? 2 * x : 0.5f * x * erfcf(-0.70710678f * x);
    }
}

// Case: map_misaligned - aligns its packs by the output alone. Shows if the pointers are off by
// different amounts.
__global__ void map_misaligned(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid(), threads = threads_in_grid();
    const size_t to_boundary = (16 - (size_t)d_out % 16) % 16 / sizeof(float);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / 4;
    const float4 *d_packs = (const float4 *)(d_in + head);
    for (size_t p = i; p < packs; p += threads) {
        const float4 x = d_packs[p];
        ((float4 *)(d_out + head))[p] = make_float4(relu(x.x), relu(x.y), relu(x.z), relu(x.w));
    }
    for (size_t k = i; k < n; k += threads) {
        if (k < head || k >= head + 4 * packs) {
            d_out[k] = relu(d_in[k]);
        }
    }
}

// Case: map_relu_nan - fmaxf(x, 0) is 0 where x is NaN
// Says: where an input is NaN
__global__ void map_relu_nan(const float *d_in, float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        d_out[k] = fmaxf(d_in[k], 0.0f);
    }
}

// Case: map_input_modified - relu is done in place and then copied
__global__ void map_input_modified(const float *d_in, float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        if (d_in[k] < 0.0f) {
            ((float *)d_in)[k] = 0.0f;
        }
        d_out[k] = d_in[k];
    }
}

// A thread for each element.
template <void (*kernel)(const float *, float *, size_t)>
static cudaError_t launch_each(const void *const *d_in, void *d_out, size_t n, void *d_work,
                               size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out, n);
    }
    return cudaGetLastError();
}

// Case: map_no_bounds_check - an element a thread: the last block writes past the end
__global__ void map_no_bounds_check(const float *d_in, float *d_out, size_t)
{
    const size_t i = index_in_grid();
    d_out[i] = relu(d_in[i]);
}

// Case: map_index_32_bits - the index is an int, which ends at 2^31; too many for the emulator
// Where: gpu
__global__ void map_index_32_bits(const float *d_in, float *d_out, size_t n)
{
    const int i = (int)(blockIdx.x * BLOCK_SIZE + threadIdx.x);
    if (i >= 0 && (size_t)i < n) {
        d_out[i] = relu(d_in[i]);
    }
}

// Case: map_fallback - no fault, but slow: if a pointer is not aligned, no element is loaded as
// part of a float4. Its load requests are four times as many then (ERRATA.md).
// Run: FAULT=$CASE $BUILD/faults/maps --check --quick
// Full: FAULT=$CASE $BUILD/faults/maps --check
// Exit: 0
// Matches: check ok
__global__ void pack_kernel(const float4 *d_in, float4 *d_out, size_t packs)
{
    for (size_t p = index_in_grid(); p < packs; p += threads_in_grid()) {
        const float4 x = d_in[p];
        d_out[p] = make_float4(relu(x.x), relu(x.y), relu(x.z), relu(x.w));
    }
}

static cudaError_t map_fallback(const void *const *d_in, void *d_out, size_t n, void *d_work,
                                size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const float *d_x = (const float *)d_in[0];
    float *d_y = (float *)d_out;
    const bool aligned = (size_t)d_x % 16 == 0 && (size_t)d_y % 16 == 0;
    const size_t packed = aligned ? n / 4 * 4 : 0; // elements that go as packs
    if (packed > 0) {
        pack_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float4 *)d_x, (float4 *)d_y,
                                                          packed / 4);
    }
    if (packed < n) {
        map_control<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>(d_x + packed, d_y + packed, n - packed);
    }
    return cudaGetLastError();
}

// Case: map_mul_flushes - products below the smallest normal number become 0, as with -ftz=true
// Says: subnormal
__global__ void map_mul_flushes(const float *d_x, const float *d_y, const float *, float *d_out,
                                size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        const float product = d_x[k] * d_y[k];
        d_out[k] = fabsf(product) < FLT_MIN ? 0.0f : product;
    }
}

// Case: map_inputs_aliased - the first input is taken twice, so x * y becomes x * x
// Says: made of the inputs 0 and 0
__global__ void map_inputs_aliased(const float *d_x, const float *, const float *, float *d_out,
                                   size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        d_out[k] = d_x[k] * d_x[k];
    }
}

// Case: map_fma_rounded_twice - the product is rounded before z is added
__global__ void map_fma_rounded_twice(const float *d_x, const float *d_y, const float *d_z,
                                      float *d_out, size_t n)
{
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        d_out[k] = __fadd_rn(__fmul_rn(d_x[k], d_y[k]), d_z[k]); // never made one fma
    }
}

// Two or three inputs.
template <void (*kernel)(const float *, const float *, const float *, float *, size_t), int INPUTS>
static cudaError_t launch_inputs(const void *const *d_in, void *d_out, size_t n, void *d_work,
                                 size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const void *d_last = INPUTS > 2 ? d_in[2] : NULL;
    kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (const float *)d_in[1],
                                                 (const float *)d_last, (float *)d_out, n);
    return cudaGetLastError();
}

static const fault_t faults[] = {
    {"map_control", {.map = {{launch_map<float, float, map_control>}}}},
    {"map_past_end", {.map = {{launch_map<float, float, map_past_end>}}}},
    {"map_tail_unwritten", {.map = {{launch_map<float, float, map_tail_unwritten>}}}},
    {"map_pack_order", {.map = {{launch_map<float, float, map_pack_order>}}}},
    {"map_pack_of_3",
     {.map = {{launch_map<float, float, relu_of_3>, launch_map<float, float, gelu_to_2>}}}},
    {"map_misaligned", {.map = {{launch_map<float, float, map_misaligned>}}}},
    {"map_relu_nan", {.map = {{launch_map<float, float, map_relu_nan>}}}},
    {"map_input_modified", {.map = {{launch_map<float, float, map_input_modified>}}}},
    {"map_no_bounds_check", {.map = {{launch_each<map_no_bounds_check>}}}},
    {"map_index_32_bits", {.map = {{launch_each<map_index_32_bits>}}}},
    {"map_fallback", {.map = {{map_fallback}}}},
    {"map_mul_flushes", {.map = {{NULL, NULL, launch_inputs<map_mul_flushes, 2>}}}},
    {"map_inputs_aliased", {.map = {{NULL, NULL, launch_inputs<map_inputs_aliased, 2>}}}},
    {"map_fma_rounded_twice",
     {.map = {{NULL, NULL, NULL, launch_inputs<map_fma_rounded_twice, 3>}}}},
};

extern "C" const step_t step = planted(faults);
