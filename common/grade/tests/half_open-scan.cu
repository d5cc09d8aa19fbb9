// SPDX-License-Identifier: MIT
// Half right: one block goes along the array, and each tile takes 8 rounds in shared memory.
// Expected: 55 points
#include <cuda_runtime.h>
#include <stddef.h>

__global__ void scan_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_data[2][256];
    const unsigned tid = threadIdx.x;
    float before = 0.0f;
    for (size_t first = 0; first < n; first += 256) {
        unsigned now = 0;
        s_data[now][tid] = first + tid < n ? d_in[first + tid] : 0.0f;
        for (unsigned stride = 1; stride < 256; stride *= 2) {
            __syncthreads();
            const float left = tid >= stride ? s_data[now][tid - stride] : 0.0f;
            s_data[1 - now][tid] = s_data[now][tid] + left;
            now = 1 - now;
        }
        __syncthreads();
        if (first + tid < n) {
            d_out[first + tid] = before + s_data[now][tid];
        }
        before += s_data[now][255];
        __syncthreads();
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    scan_kernel<<<1, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
