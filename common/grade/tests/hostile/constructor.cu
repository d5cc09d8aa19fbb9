// SPDX-License-Identifier: MIT
// Hostile: runs before main.
// Expected: 0: '__attribute__' is not accepted
#include <cuda_runtime.h>

__attribute__((constructor)) static void early() {}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
