// SPDX-License-Identifier: MIT
// Hostile: never comes back.
// Expected: 0: no answer in
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    for (volatile int i = 0;; i = i + 1)
        continue;
}
