// SPDX-License-Identifier: MIT
// Half right: wide loads if both pointers are aligned, else one element a load.
// Expected: 75 points
#include <cuda_runtime.h>
#include <stddef.h>

// d_out is 0 before. Each block adds its sum to it.
__global__ void dot_kernel(const float *d_x, const float *d_y, float *d_out, size_t n)
{
    __shared__ float s_data[256];
    const size_t first = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
    float value = 0.0f;
    const bool aligned = ((size_t)d_x | (size_t)d_y) % 16 == 0;
    const size_t packs = aligned ? n / 4 : 0;
    for (size_t p = first; p < packs; p += threads) {
        const float4 x = ((const float4 *)d_x)[p];
        const float4 y = ((const float4 *)d_y)[p];
        value += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    for (size_t i = 4 * packs + first; i < n; i += threads) {
        value += d_x[i] * d_y[i];
    }
    s_data[threadIdx.x] = value;
    __syncthreads(); // all values are in place
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            s_data[threadIdx.x] += s_data[threadIdx.x + stride];
        }
        __syncthreads(); // this round's sums are in place
    }
    if (threadIdx.x == 0) {
        atomicAdd(d_out, s_data[0]);
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    cudaMemsetAsync(d_out[0], 0, sizeof(float), stream);
    dot_kernel<<<8, 256, 0, stream>>>((const float *)d_in[0] + size[1],
                                      (const float *)d_in[1] + size[2], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
