// SPDX-License-Identifier: MIT
// Fault (gpu): the offset of a row is an unsigned int, which ends at 2^32. Shows only for matrices
// with more elements; the emulator is not asked for so many. In f16, because it gets the largest
// shapes.
#include <cuda_fp16.h>

#include "columns.cuh"

__global__ void short_kernel(const half *d_in, half *d_out, size_t rows, size_t cols)
{
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (unsigned row = threadIdx.y; row < rows && column < cols; row += HIGH) {
        const unsigned offset = row * (unsigned)cols;
        value += (float)d_in[offset + column];
    }
    value = column_sum(value);
    if (threadIdx.y == 0 && column < cols) {
        d_out[column] = (half)value;
    }
}

extern "C" const step_t step = {.summary = "fault: 32-bit offsets of rows",
                                .columns = {{}, {}, {}, {launch_columns<half, short_kernel>}}};
