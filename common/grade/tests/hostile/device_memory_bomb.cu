// SPDX-License-Identifier: MIT
// Hostile: takes all memory of the device.
// Expected: 0: it calls 'cudaMalloc'
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    void *d;
    while (cudaMalloc(&d, 1 << 30) == cudaSuccess)
        continue;
    return cudaSuccess;
}
