// SPDX-License-Identifier: MIT
// Hostile: a kernel gets the input as an argument, which the host copies from device memory.
// Expected: 0: read of device memory by host code
#include <cuda_runtime.h>

struct many {
    float v[512];
};
__global__ void many_kernel(many in, float *d_out)
{
    d_out[threadIdx.x] = in.v[threadIdx.x];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL || size[0] * size[1] == 0)
        return cudaSuccess;
    void *arguments[] = {(void *)d_in[0], (void *)d_out};
    cudaLaunchKernel((const void *)many_kernel, dim3(1), dim3(512), arguments, 0, stream);
    return cudaGetLastError();
}
