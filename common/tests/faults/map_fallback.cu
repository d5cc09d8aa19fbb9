// SPDX-License-Identifier: MIT
// Control: no fault, but slow: if a pointer is not aligned, no element is loaded as part of a
// float4. The checker must accept it; its load requests are four times as many then (ERRATA.md).
#include "map.cuh"

__device__ float relu(float x)
{
    return x < 0.0f ? 0.0f : x; // NaN stays NaN
}

__global__ void pack_kernel(const float4 *d_in, float4 *d_out, size_t packs)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    for (size_t p = i; p < packs; p += (size_t)gridDim.x * BLOCK_SIZE) {
        const float4 x = d_in[p];
        d_out[p] = make_float4(relu(x.x), relu(x.y), relu(x.z), relu(x.w));
    }
}

__global__ void scalar_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    for (size_t k = i; k < n; k += (size_t)gridDim.x * BLOCK_SIZE) {
        d_out[k] = relu(d_in[k]);
    }
}

static cudaError_t launch(const void *const *d_in, void *d_out, size_t n, void *d_work,
                          size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const float *d_x = (const float *)d_in[0];
    float *d_y = (float *)d_out;
    const bool aligned = (size_t)d_x % 16 == 0 && (size_t)d_y % 16 == 0;
    const size_t packed = aligned ? n / 4 * 4 : 0; // elements that go as packs
    if (packed > 0) {
        pack_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float4 *)d_x, (float4 *)d_y,
                                                          packed / 4);
    }
    if (packed < n) {
        scalar_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>(d_x + packed, d_y + packed, n - packed);
    }
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "control: packs where both pointers are aligned, else scalars", .map = {{launch}}};
