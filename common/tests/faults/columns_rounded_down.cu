// SPDX-License-Identifier: MIT
// Fault: as many blocks as whole groups of 32 columns, at least one. Shows if cols is above 32 and
// not a multiple of it: the last results are never written.
// Cause: the last column of 33 is not written
#include "columns.cuh"

static cudaError_t launch(const void *d_in, void *d_out, size_t rows, size_t cols, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = cols < WIDE ? 1 : cols / WIDE;
    column_kernel<<<(unsigned)blocks, dim3(WIDE, HIGH), 0, stream>>>((const float *)d_in,
                                                                     (float *)d_out, rows, cols);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: the columns beyond the last whole block",
                                .columns = {{launch}}};
