// SPDX-License-Identifier: MIT
// Hostile: the name of the header is a macro.
// Expected: 0: #include of '' is not accepted
#include <cuda_runtime.h>

#define HEADER "/etc/passwd"
#include HEADER

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
