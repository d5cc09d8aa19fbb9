// SPDX-License-Identifier: MIT
// Fault: products below the smallest normal number become 0, as with -ftz=true. Shows if a
// product is subnormal.
// Cause: subnormal
#include <float.h>

#include "map.cuh"

__global__ void map_kernel(const float *d_x, const float *d_y, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        const float product = d_x[k] * d_y[k];
        d_out[k] = fabsf(product) < FLT_MIN ? 0.0f : product;
    }
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    map_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (const float *)d_in[1],
                                                     (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: flushes subnormal products",
                                .map = {{NULL, NULL, launch}}};
