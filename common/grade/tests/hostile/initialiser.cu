// SPDX-License-Identifier: MIT
// Hostile: a variable whose initialiser runs before main.
// Expected: 0: it has the host variable 'early'
#include <cuda_runtime.h>

struct early {
    int value;
    early() : value(cudaGetLastError()) {}
} early;

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = early.value;
    return cudaSuccess;
}
