// SPDX-License-Identifier: MIT
// Fault (gpu): beyond 2^20 elements blocks of 2048 threads, which CUDA refuses, and the error is
// ignored. The emulator finds it with any n, because it makes launches fail.
// Cause: a launch failed, and the launcher does not return it
#include "map.cuh"

__global__ void map_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
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
    const unsigned block = n > 1048576 ? 2048 : BLOCK_SIZE;
    map_kernel<<<GRID_SIZE, block, 0, stream>>>((const float *)d_in[0], (float *)d_out, n);
    return cudaSuccess;
}

extern "C" const step_t step = {.summary = "fault: a launch is refused where n is large",
                                .map = {{launch}}};
