// SPDX-License-Identifier: MIT
// Hostile: stores each detail by an atomic, since these are no store requests.
// Expected: 50: busy lanes:
#include <cuda_runtime.h>

__global__ void kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_mean[512];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * 512;
    for (unsigned k = t; k < 512; k += 256)
        s_mean[k] = first + k < n ? d_in[first + k] : 0.0f;
    __syncthreads();
    for (unsigned pairs = 256, stride = 1; pairs > 0; pairs /= 2, stride *= 2) {
        if (t < pairs) {
            const float a = s_mean[2 * stride * t], b = s_mean[2 * stride * t + stride];
            s_mean[2 * stride * t] = 0.5f * (a + b);
            atomicExch(&d_out[first + pairs + t], 0.5f * (a - b));
        }
        __syncthreads();
    }
    if (t == 0)
        atomicExch(&d_out[first], s_mean[0]);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL || size[0] == 0)
        return cudaSuccess;
    cudaMemsetAsync(d_out[0], 0, (size[0] + 511) / 512 * 2048, stream);
    kernel<<<(size[0] + 511) / 512, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                                      size[0]);
    return cudaGetLastError();
}
