// SPDX-License-Identifier: MIT
// Fault: gelu by its tanh approximation, which is off by up to 0.0005. Shows for |x| around 2.
// make accuracy-07 tells how far off it is, in units in the last place.
#include <cuda_fp16.h>
#include <math.h>

#include "step.h"

#define BLOCK_SIZE 256
#define GRID_SIZE 8

template <typename T>
__global__ void map_kernel(const T *d_in, T *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        const float x = d_in[k];
        const float inner = 0.79788456f * (x + 0.044715f * x * x * x); // sqrt(2 / pi)
        d_out[k] = 0.5f * x * (1.0f + tanhf(inner));
    }
}

template <typename T>
static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    map_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const T *)d_in[0], (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: gelu by the tanh approximation",
    .map = {{NULL, launch<float>}, {}, {}, {NULL, launch<half>}},
};
