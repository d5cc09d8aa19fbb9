// SPDX-License-Identifier: MIT
// Fault: each lane takes cols / 32 columns and no lane takes the rest. Shows for every cols that is
// not a multiple of 32.
// Cause: the last 31 elements
#include "rows.cuh"

__global__ void rows_kernel(const float *d_in, float *d_out, size_t cols)
{
    const float *d_row = d_in + blockIdx.x * cols;
    float value = 0.0f;
    for (size_t k = threadIdx.x; k < cols / WARP_SIZE * WARP_SIZE; k += WARP_SIZE) {
        value += d_row[k];
    }
    value = warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

extern "C" const step_t step = {.summary = "fault: the last cols % 32 columns are lost",
                                .rows = {{launch_rows<float, rows_kernel>}}};
