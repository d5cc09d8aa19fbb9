// SPDX-License-Identifier: MIT
// Fault: takes cols for a multiple of 4 and d_in for aligned: a thread has 4 columns, and those
// left over belong to nobody. Shows where either is not so.
// Cause: elements of other columns
#include "columns.cuh"

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

extern "C" const step_t step = {.summary = "fault: packs that must divide a row",
                                .columns = {{launch_columns<float, pack_kernel>}}};
