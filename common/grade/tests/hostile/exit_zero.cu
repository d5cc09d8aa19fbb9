// SPDX-License-Identifier: MIT
// Hostile: ends the process as if all were well.
// Expected: 0: it ended without an answer
#include <cuda_runtime.h>
#include <stdlib.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    exit(0);
}
