// SPDX-License-Identifier: MIT
//
// columns.cu - what a sum of columns gets wrong.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/columns --check --quick
// Run: FAULT=$CASE $BUILD/faults/columns --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: columns_control - no fault: a block of 32 x 8 threads for 32 columns
// Run: $BUILD/faults/columns --check --quick
// Full: $BUILD/faults/columns --check
// Exit: 0
// Matches: check ok
#include <cuda_fp16.h>

#include "plants.cuh"

#define WIDE 32 // columns of a block
#define HIGH 8  // rows that it takes at once

__device__ size_t column_of_thread()
{
    return (size_t)blockIdx.x * WIDE + threadIdx.x;
}

// The sum over the 8 threads of a column; the first row of threads gets it.
__device__ float column_sum(float value)
{
    __shared__ float s_value[HIGH][WIDE];
    s_value[threadIdx.y][threadIdx.x] = value;
    __syncthreads(); // the values of all 8 rows are in place
    for (unsigned half = HIGH / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
            s_value[threadIdx.y][threadIdx.x] += s_value[threadIdx.y + half][threadIdx.x];
        }
        __syncthreads(); // the next round reads what other warps have written
    }
    return s_value[0][threadIdx.x];
}

// The sum of every 8th row of this thread's column.
template <typename T>
__device__ float share_sum(const T *d_in, size_t rows, size_t cols)
{
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (size_t row = threadIdx.y; row < rows && column < cols; row += HIGH) {
        value += (float)d_in[row * cols + column];
    }
    return value;
}

template <typename T>
__device__ void store_column(float value, T *d_out, size_t cols)
{
    const size_t column = column_of_thread();
    value = column_sum(value);
    if (threadIdx.y == 0 && column < cols) {
        d_out[column] = (T)value;
    }
}

__global__ void columns_control(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    store_column(share_sum(d_in, rows, cols), d_out, cols);
}

template <typename T, void (*kernel)(const T *, T *, size_t, size_t)>
static cudaError_t launch_columns(const void *d_in, void *d_out, size_t rows, size_t cols,
                                  void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (cols > 0) {
        kernel<<<(unsigned)((cols + WIDE - 1) / WIDE), dim3(WIDE, HIGH), 0, stream>>>(
            (const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}

// Case: columns_half_partials - an f16 sum whose partials, one for each row of threads, are rounded
// to f16. Shows if large partials cancel.
__global__ void columns_half_partials(const half *d_in, half *d_out, size_t rows, size_t cols)
{
    store_column((float)(half)share_sum(d_in, rows, cols), d_out, cols);
}

// Case: columns_offset_32_bits - the offset of a row ends at 2^32; too many for the emulator. In
// f16, because it gets the largest shapes.
// Where: gpu
__global__ void columns_offset_32_bits(const half *d_in, half *d_out, size_t rows, size_t cols)
{
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (unsigned row = threadIdx.y; row < rows && column < cols; row += HIGH) {
        const unsigned offset = row * (unsigned)cols;
        value += (float)d_in[offset + column];
    }
    store_column(value, d_out, cols);
}

// Case: columns_tail_dropped - the block takes 8 rows at once and skips the rest
// Says: the last 6 elements are missing
__global__ void columns_tail_dropped(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    store_column(share_sum(d_in, rows / HIGH * HIGH, cols), d_out, cols);
}

__global__ void pack_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    const float4 *d_packs = (const float4 *)d_in;
    const size_t pack = column_of_thread(), packs = cols / 4;
    float4 sum = {};
    for (size_t row = threadIdx.y; row < rows && pack < packs; row += HIGH) {
        const float4 one = d_packs[row * packs + pack];
        sum = make_float4(sum.x + one.x, sum.y + one.y, sum.z + one.z, sum.w + one.w);
    }
    const float parts[4] = {sum.x, sum.y, sum.z, sum.w};
    for (unsigned k = 0; k < 4; k++) {
        const float value = column_sum(parts[k]);
        if (threadIdx.y == 0 && pack < packs) {
            d_out[pack * 4 + k] = value;
        }
        __syncthreads(); // the values of all have been read
    }
}

// Case: columns_packs_divide - if d_in is aligned, a thread has 4 columns, and no thread those left
// over
// Says: elements of other columns
static cudaError_t columns_packs_divide(const void *d_in, void *d_out, size_t rows, size_t cols,
                                        void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const bool aligned = (size_t)d_in % sizeof(float4) == 0;
    return (aligned ? launch_columns<float, pack_kernel>
                    : launch_columns<float, columns_control>)(d_in, d_out, rows, cols, d_work,
                                                              work_bytes, stream);
}

// Case: columns_rounded_down - as many blocks as whole groups of 32 columns, at least one
// Says: the last column of 33 is not written
static cudaError_t columns_rounded_down(const void *d_in, void *d_out, size_t rows, size_t cols,
                                        void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = cols < WIDE ? 1 : cols / WIDE;
    columns_control<<<(unsigned)blocks, dim3(WIDE, HIGH), 0, stream>>>((const float *)d_in,
                                                                       (float *)d_out, rows, cols);
    return cudaGetLastError();
}

static const fault_t faults[] = {
    {"columns_control", {.columns = {{launch_columns<float, columns_control>}}}},
    {"columns_half_partials",
     {.columns = {{}, {}, {}, {launch_columns<half, columns_half_partials>}}}},
    {"columns_offset_32_bits",
     {.columns = {{}, {}, {}, {launch_columns<half, columns_offset_32_bits>}}}},
    {"columns_tail_dropped", {.columns = {{launch_columns<float, columns_tail_dropped>}}}},
    {"columns_packs_divide", {.columns = {{columns_packs_divide}}}},
    {"columns_rounded_down", {.columns = {{columns_rounded_down}}}},
};

extern "C" const step_t step = planted(faults);
