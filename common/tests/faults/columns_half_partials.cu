// SPDX-License-Identifier: MIT
// Fault: an f16 sum whose partials, one for each row of threads, are rounded to f16. Shows if
// large partials cancel: the rounding error is more than the last place of the sum.
#include <cuda_fp16.h>

#include "columns.cuh"

__global__ void rounding_kernel(const half *d_in, half *d_out, size_t rows, size_t cols)
{
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (size_t row = threadIdx.y; row < rows && column < cols; row += HIGH) {
        value += (float)d_in[row * cols + column];
    }
    value = column_sum((float)(half)value);
    if (threadIdx.y == 0 && column < cols) {
        d_out[column] = (half)value;
    }
}

extern "C" const step_t step = {.summary = "fault: partials in f16",
                                .columns = {{}, {}, {}, {launch_columns<half, rounding_kernel>}}};
