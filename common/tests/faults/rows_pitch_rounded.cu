// SPDX-License-Identifier: MIT
// Fault: assumes that each row begins at a multiple of 4 elements. Shows for rows > 1 if cols is
// not a multiple of 4.
#include "rows.cuh"

__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    const size_t pitch = (cols + 3) / 4 * 4;
    const float *d_row = d_in + blockIdx.x * pitch;
    float value = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        value += d_row[k];
    }
    value = warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: rows with a pitch that is rounded up",
                                .rows = {{launch_rows<float, rows_kernel>}}};
