// SPDX-License-Identifier: MIT
// Fault: the product is rounded before z is added. Shows if x * y needs more than 24 bits and z
// cancels most of it.
#include "map.cuh"

__global__ void map_kernel(const float *d_x, const float *d_y, const float *d_z, float *d_out,
                           size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    for (size_t k = i; k < n; k += threads) {
        d_out[k] = __fadd_rn(__fmul_rn(d_x[k], d_y[k]), d_z[k]); // never made one fma
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
                                                     (const float *)d_in[2], (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {.summary = "fault: fma with two roundings",
                                .map = {{NULL, NULL, NULL, launch}}};
