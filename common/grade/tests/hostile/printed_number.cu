// SPDX-License-Identifier: MIT
// Hostile: printf writes how much it has printed through a pointer, into device memory.
// Expected: 0: one block:
#include <cuda_runtime.h>
#include <stdio.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    printf("%100d%n", 1, (int *)d_out[0]);
    fprintf((FILE *)d_out[0], "%n", (int *)d_out[0]);
    return cudaSuccess;
}
