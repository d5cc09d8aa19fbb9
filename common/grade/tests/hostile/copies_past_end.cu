// SPDX-License-Identifier: MIT
// Hostile: copies a long stretch of memory that only begins on its own stack.
// Expected: 0: read outside its own variables by host code
#include <cuda_runtime.h>
#include <string.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    char local[8192];
    volatile size_t bytes = sizeof local;
    *work_bytes = 0;
    memcpy(local, (const char *)size + 64, bytes); // the sizes lie at the end of the stack
    return local[8191] ? cudaSuccess : cudaErrorInvalidValue;
}
