// SPDX-License-Identifier: MIT
// Hostile: launches a kernel that does nothing.
// Expected: 0: nothing was written there
#include <cuda_runtime.h>

__global__ void empty_kernel() {}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    empty_kernel<<<1, 256, 0, stream>>>();
    return cudaGetLastError();
}
