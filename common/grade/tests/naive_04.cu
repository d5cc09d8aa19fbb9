// SPDX-License-Identifier: MIT
// Right but slow: one element a load.
// Expected: 55 points
#include <cuda_runtime.h>
#include <stddef.h>

// Launch: one block.
__global__ void dot_kernel(const float *d_x, const float *d_y, float *d_out, size_t n)
{
    __shared__ float s_data[256];
    float value = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += 256) {
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
        d_out[0] = s_data[0];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    dot_kernel<<<1, 256, 0, stream>>>((const float *)d_in[0] + size[1],
                                      (const float *)d_in[1] + size[2], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
