// SPDX-License-Identifier: MIT
// Hostile: runs when the process ends.
// Expected: 0: it calls 'atexit'
#include <cuda_runtime.h>
#include <stdlib.h>

static void late() {}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    atexit(late);
    return cudaSuccess;
}
