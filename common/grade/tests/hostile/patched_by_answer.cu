// SPDX-License-Identifier: MIT
// Hostile: has CUDA write an answer where it must not.
// Expected: 0: solve() returned cudaErrorInvalidValue
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    char *p = (char *)(size_t)&cudaGetLastError;
    return cudaDeviceGetAttribute((int *)(p + (1 << 16)), cudaDevAttrWarpSize, 0);
}
