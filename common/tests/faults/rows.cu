// SPDX-License-Identifier: MIT
//
// rows.cu - what a sum of rows gets wrong. Those of rows_shapes.cu show for some shapes only.
//
// Group: fault
// Run: FAULT=$CASE $BUILD/faults/rows --check --quick
// Run: FAULT=$CASE $BUILD/faults/rows --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: rows_control - no fault: one warp a row
// Run: $BUILD/faults/rows --check --quick
// Full: $BUILD/faults/rows --check
// Exit: 0
// Matches: check ok
#include <cuda_fp16.h>

#include "plants.cuh"
#include "rows.cuh"

#define BLOCK_SIZE 128
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define ODD_SIZE 100

// Case: rows_tail_dropped - each lane takes cols / 32 columns, and none takes the rest
// Says: the last 31 elements
__global__ void rows_tail_dropped(const float *d_in, float *d_out, size_t cols)
{
    store_row(share_sum(d_in + blockIdx.x * cols, cols / WARP_SIZE * WARP_SIZE), d_out);
}

// Case: rows_pitch_rounded - assumes that each row begins at a multiple of 4 elements
__global__ void rows_pitch_rounded(const float *d_in, float *d_out, size_t cols)
{
    const size_t pitch = (cols + 3) / 4 * 4;
    store_row(share_sum(d_in + blockIdx.x * pitch, cols), d_out);
}

// Case: rows_packs_divide - assumes that cols is a multiple of 4 and every row is aligned
__global__ void rows_packs_divide(const float *d_in, float *d_out, size_t cols)
{
    const float4 *d_packs = (const float4 *)(d_in + blockIdx.x * cols);
    float value = 0.0f;
    for (size_t p = threadIdx.x; p < cols / 4; p += WARP_SIZE) {
        const float4 pack = d_packs[p];
        value += pack.x + pack.y + pack.z + pack.w;
    }
    store_row(value, d_out);
}

// The sum of a warp whose lanes may not all exist.
__device__ float partial_warp_sum(float value)
{
    const unsigned mask = __activemask(); // the lanes that exist
    const unsigned lane = threadIdx.x % WARP_SIZE;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const float other = __shfl_down_sync(mask, value, offset);
        value += mask >> lane >> offset & 1 ? other : 0.0f;
    }
    return value;
}

// Case: rows_partial_warp - blocks of 100 threads for a row, and the number of warps is rounded
// down: what threads 96 to 99 hold is lost. Shows for cols > 96.
// Says: row 0: elements 96 to 99, 196 to 199
__global__ void rows_partial_warp(const float *d_in, float *d_out, size_t cols)
{
    __shared__ float s_warp[WARP_SIZE];
    const float *d_row = d_in + blockIdx.x * cols;
    const unsigned lane = threadIdx.x % WARP_SIZE;
    float value = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += ODD_SIZE) {
        value += d_row[k];
    }
    value = partial_warp_sum(value);
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    value = threadIdx.x < ODD_SIZE / WARP_SIZE ? s_warp[lane] : 0.0f;
    value = partial_warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

// Case: rows_last_unwritten - one block too few
// Says: the last row of 7 is not written
static cudaError_t rows_last_unwritten(const void *d_in, void *d_out, size_t rows, size_t cols,
                                       void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return launch_rows<float, row_kernel>(d_in, d_out, rows > 0 ? rows - 1 : 0, cols, d_work,
                                          work_bytes, stream);
}

// Launches a block for each WARPS rows.
template <typename T, void (*kernel)(const T *, T *, size_t, size_t)>
static cudaError_t launch_groups(const void *d_in, void *d_out, size_t rows, size_t cols,
                                 void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (rows > 0) {
        kernel<<<(rows + WARPS - 1) / WARPS, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out,
                                                                      rows, cols);
    }
    return cudaGetLastError();
}

// Case: rows_no_guard - a block takes 4 rows, and none asks whether its row exists
__global__ void rows_no_guard(const float *d_in, float *d_out, size_t, size_t cols)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    float value = 0.0f;
    for (size_t k = lane; k < cols; k += WARP_SIZE) {
        value += d_in[row * cols + k];
    }
    value = warp_sum(value);
    if (lane == 0) {
        d_out[row] = value;
    }
}

// Case: rows_offset_32_bits - the offset of a row ends at 2^32; too many for the emulator. In f16,
// because it gets the largest shapes.
// Where: gpu
__global__ void rows_offset_32_bits(const half *d_in, half *d_out, size_t rows, size_t cols)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned row = blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    const unsigned offset = row * (unsigned)cols;
    float value = 0.0f;
    if (row >= rows) {
        return; // the whole warp: it has one row
    }
    for (unsigned k = lane; k < cols; k += WARP_SIZE) {
        value += (float)d_in[offset + k];
    }
    value = warp_sum(value);
    if (lane == 0) {
        d_out[row] = value;
    }
}

// The sum of a block; there is no barrier before its store.
__device__ float block_sum(float value)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;

    value = warp_sum(value);
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    value = threadIdx.x < WARPS ? s_warp[lane] : 0.0f;
    return warp_sum(value);
}

// Case: rows_barrier_missing - a block reduces several rows: a warp may store its result of the
// next row while warp 0 still reads those of this one. On a GPU the result is right most of the
// time.
// Where: cpu
__global__ void rows_barrier_missing(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    for (size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        float value = 0.0f;
        for (size_t k = threadIdx.x; k < cols; k += BLOCK_SIZE) {
            value += d_in[row * cols + k];
        }
        value = block_sum(value);
        if (threadIdx.x == 0) {
            d_out[row] = value;
        }
    }
}

static const fault_t faults[] = {
    {"rows_control", {.rows = {{launch_rows<float, row_kernel>}}}},
    {"rows_tail_dropped", {.rows = {{launch_rows<float, rows_tail_dropped>}}}},
    {"rows_pitch_rounded", {.rows = {{launch_rows<float, rows_pitch_rounded>}}}},
    {"rows_packs_divide", {.rows = {{launch_rows<float, rows_packs_divide>}}}},
    {"rows_partial_warp", {.rows = {{launch_rows<float, rows_partial_warp, ODD_SIZE>}}}},
    {"rows_last_unwritten", {.rows = {{rows_last_unwritten}}}},
    {"rows_no_guard", {.rows = {{launch_groups<float, rows_no_guard>}}}},
    {"rows_offset_32_bits", {.rows = {{}, {}, {}, {launch_groups<half, rows_offset_32_bits>}}}},
    {"rows_barrier_missing", {.rows = {{launch_groups<float, rows_barrier_missing>}}}},
};

extern "C" const step_t step = planted(faults);
