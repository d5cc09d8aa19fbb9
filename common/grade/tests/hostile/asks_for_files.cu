// SPDX-License-Identifier: MIT
// Hostile: asks the preprocessor which files the machine has.
// Expected: 0: '__has_include' is not accepted
#include <cuda_runtime.h>

#if __has_include("/etc/passwd")
#error there
#endif

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
