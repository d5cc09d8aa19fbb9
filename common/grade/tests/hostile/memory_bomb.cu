// SPDX-License-Identifier: MIT
// Hostile: takes all memory.
// Expected: 0: it calls 'malloc'
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    for (;;)
        memset(malloc(1 << 30), 1, 1 << 30);
}
