// SPDX-License-Identifier: MIT
// Fault (gpu): the index of an element is an int, which ends at 2^31: later elements are never
// written. Shows only for larger n; the emulator is not asked for so many.
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const int i = (int)(blockIdx.x * BLOCK_SIZE + threadIdx.x);
    if (i >= 0 && (size_t)i < n) {
        d_out[i] = d_in[i] < 0.0f ? 0.0f : d_in[i];
    }
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (blocks > 0) {
        map_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out, n);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: an index of 32 bits", .map = {{launch}}};
