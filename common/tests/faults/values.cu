// SPDX-License-Identifier: MIT
//
// values.cu - values that a kernel changes before they reach a sum (or a maximum):
//
// Group: fault values
// Run: FAULT=$CASE $BUILD/faults/values --check --quick
// Run: FAULT=$CASE $BUILD/faults/values --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: none - no fault
// Run: $BUILD/faults/values --check --quick
// Full: $BUILD/faults/values --check
// Exit: 0
// Matches: check ok
//
// Case: half - above 20000 elements they are rounded to f16
// Run: FAULT=$CASE $BUILD/faults/values --check -o sum
// Case: tf32 - ... or lose the last 13 bits of their mantissa
// Run: FAULT=$CASE $BUILD/faults/values --check -o sum
// Case: whole - above 500000 elements the digits after the point are cut off
// Run: FAULT=$CASE $BUILD/faults/values --check -o sum
// Case: max_half - the maximum is rounded to f16
// Case: flush - the maximum treats subnormal numbers as 0
// Run: FAULT=$CASE $BUILD/faults/values --check -o max
// Case: finite - above 100 elements the maximum starts from the lowest finite number, not from
// -Inf. Shows if all elements are -Inf
// Run: FAULT=$CASE $BUILD/faults/values --check -o max
// Case: unset - a thread's sum starts from whatever its register holds
// Where: cpu
// Case: packs - reads packs of 16 bytes from any address, a field at a time, which a compiler may
// join to one load. Shows for inputs that are not aligned
// Where: cpu
#include <cuda_fp16.h>
#include <float.h>

#include "plants.cuh"
#include "reduce.cuh"

enum fault { NONE, HALF, TF32, FLUSH, FINITE, WHOLE, UNSET, PACKS };

struct alignas(16) pack_t {
    float elem[4];
};

__device__ float changed(float x, enum fault fault)
{
    if (fault == HALF) {
        return (float)(half)x;
    }
    if (fault == TF32) {
        return __uint_as_float(__float_as_uint(x) & 0xffffe000u);
    }
    if (fault == FLUSH) {
        return fabsf(x) < FLT_MIN ? 0.0f : x;
    }
    return fault == WHOLE ? truncf(x) : x;
}

template <typename Op>
__global__ void value_kernel(const float *d_in, float *d_out, size_t n, enum fault fault)
{
    const size_t threads = threads_in_grid();
    float value;
    if (fault != UNSET) {
        value = fault == FINITE ? -FLT_MAX : Op::identity();
    }
    for (size_t k = index_in_grid(); k < n; k += threads) {
        if (fault == PACKS) {
            value = Op()(value, ((const pack_t *)d_in)[k / 4].elem[k % 4]);
        } else {
            value = Op()(value, changed(d_in[k], fault));
        }
    }
    value = block_tree<float, Op>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

static enum fault planted(bool max, size_t n)
{
    if (n > 20000 && !max && (plants("half") || plants("tf32"))) {
        return plants("half") ? HALF : TF32;
    }
    if (n > 500000 && plants("whole")) {
        return WHOLE;
    }
    if (max) {
        return plants("max_half")            ? HALF
               : plants("flush")             ? FLUSH
               : plants("finite") && n > 100 ? FINITE
                                             : NONE;
    }
    return plants("unset") ? UNSET : plants("packs") ? PACKS : NONE;
}

template <typename Op, bool max>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = GRID_SIZE * sizeof(float);
        return cudaSuccess;
    }
    value_kernel<Op><<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_work, n,
                                                           planted(max, n));
    value_kernel<Op>
        <<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_work, (float *)d_out, GRID_SIZE, NONE);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "faults of values",
    .reduce = {{launch<sum_op<float>, false>, launch<max_op<float>, true>}},
};
