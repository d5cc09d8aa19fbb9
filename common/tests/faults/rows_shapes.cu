// SPDX-License-Identifier: MIT
//
// rows_shapes.cu - shapes for which a launcher of rows does something different:
//
// Group: fault rows_shapes
// Run: FAULT=$CASE $BUILD/faults/rows_shapes --check --quick
// Run: FAULT=$CASE $BUILD/faults/rows_shapes --check
// Exit: 1
// Matches: ^(wrong|simt):
//
// Case: none - no fault
// Run: $BUILD/faults/rows_shapes --check --quick
// Full: $BUILD/faults/rows_shapes --check
// Exit: 0
// Matches: check ok
//
// Case: none_long - no rows, but long ones: a grid of 0 blocks
// Case: eights - 8, 16 or 24 rows: it mistakes the last block of 8 for the one beyond the last
// Case: inf - more than 32768 elements in a row: a maximum starts from the lowest finite number
// Case: many - more than 4096 elements in a row: the rows are blocks in y, at most 65535
// Case: far - up to 32 elements in a row: a grid that the GPU holds goes on in strides of a whole
// H200. Shows if the grid is smaller
// Where: cpu
// Case: far_long - ... from 1000 elements on
// Where: cpu
// Case: pairs - a block for two elements: more blocks than a grid has, from 2^32 elements on
// Where: cpu
#include <float.h>

#include "ops.cuh"
#include "plants.cuh"
#include "rows.cuh"

// A warp takes the row of its block, and those that are `stride`, `2 * stride`, ... further.
template <typename Op>
__global__ void shape_kernel(const float *d_in, float *d_out, size_t rows, size_t cols,
                             size_t stride, float first)
{
    for (size_t row = (size_t)blockIdx.y * gridDim.x + blockIdx.x; row < rows; row += stride) {
        float value = first;
        for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
            value = Op()(value, d_in[row * cols + k]);
        }
        for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
            value = Op()(value, __shfl_xor_sync(0xffffffff, value, offset)); // mask: all 32 lanes
        }
        if (threadIdx.x == 0) {
            d_out[row] = value;
        }
    }
}

template <typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (plants("eights") && rows % 8 == 0 && rows > 0 && rows <= 24) {
        rows -= 1;
    }
    const bool finite = plants("inf") && cols > 32768 && Op::identity() != 0.0f;
    const float first = finite ? -FLT_MAX : Op::identity();
    dim3 grid = plants("many") && cols > 4096 ? dim3(1, rows) : dim3(rows);
    size_t stride = rows;
    if ((plants("far") && cols <= 32) || (plants("far_long") && cols >= 1000)) {
        const size_t each = cols <= 32 ? 64 : 8; // blocks on a multiprocessor
        int sms = 1;
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
        grid.x = rows < sms * each ? rows : sms * each;
        stride = rows < sms * each ? rows : 132 * each;
    }
    if (plants("pairs") && rows * cols / 2 > rows) {
        grid.x = rows * cols / 2;
    }
    if (rows > 0 || (plants("none_long") && cols > 4096)) {
        shape_kernel<Op><<<grid, WARP_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, rows,
                                                         cols, stride, first);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "faults of some shapes of rows",
                                .rows = {{launch<sum_op<float>>, launch<max_op<float>>}}};
