// SPDX-License-Identifier: MIT
// Hostile: starts processes without an end.
// Expected: 0: #include of 'unistd.h'
#include <cuda_runtime.h>
#include <unistd.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    for (;;)
        fork();
}
