// SPDX-License-Identifier: MIT
// Fault: if d_in is aligned it assumes that cols is a multiple of 4: a thread has 4 columns, and no
// thread has those left over.
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

static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if ((size_t)d_in % sizeof(float4) != 0) {
        return launch_columns<float, column_kernel>(d_in, d_out, rows, cols, d_work, work_bytes,
                                                    stream);
    }
    return launch_columns<float, pack_kernel>(d_in, d_out, rows, cols, d_work, work_bytes, stream);
}

extern "C" const step_t step = {.summary = "fault: packs that must divide a row",
                                .columns = {{launch}}};
