// SPDX-License-Identifier: MIT
// Fault: the block takes 8 rows at once and skips the rest. Shows if rows is not a multiple of
// 8.
// Cause: the last 6 elements are missing
#include "columns.cuh"

__global__ void whole_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (size_t row = threadIdx.y; row < rows / HIGH * HIGH && column < cols; row += HIGH) {
        value += d_in[row * cols + column];
    }
    value = column_sum(value);
    if (threadIdx.y == 0 && column < cols) {
        d_out[column] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: the last rows % 8 rows are lost",
                                .columns = {{launch_columns<float, whole_kernel>}}};
