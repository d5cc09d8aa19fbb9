// SPDX-License-Identifier: MIT
// Fault (cpu): no barrier between the rounds over the 8 rows of a block. Each row of threads is a
// warp, so a round may read what the previous round has not written yet. On a GPU the result is
// right most of the time; the emulator sees the race.
#include "columns.cuh"

__global__ void racing_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    __shared__ float s_value[HIGH][WIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (size_t row = y; row < rows && column < cols; row += HIGH) {
        value += d_in[row * cols + column];
    }
    s_value[y][x] = value;
    __syncthreads(); // the values of all 8 rows are in place
    for (unsigned half = HIGH / 2; half > 0; half /= 2) {
        if (y < half) {
            s_value[y][x] += s_value[y + half][x];
        }
    }
    if (y == 0 && column < cols) {
        d_out[column] = s_value[0][x];
    }
}

extern "C" const step_t step = {.summary = "fault: the rounds over the rows of a block race",
                                .columns = {{launch_columns<float, racing_kernel>}}};
