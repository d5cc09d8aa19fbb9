// SPDX-License-Identifier: MIT
// Hostile: counts on the host, in the memory of the device.
// Expected: 0: read of device memory by host code
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    const float *x = (const float *)d_in[0];
    unsigned long long count = 0;
    for (size_t i = 0; i < size[0]; i++)
        count += x[i] > (float)size[1];
    *(unsigned long long *)d_out[0] = count;
    return cudaSuccess;
}
