// SPDX-License-Identifier: MIT
// Hostile: keeps what it has found for the next run.
// Expected: 0: it has the host variable 'kept'
#include <cuda_runtime.h>

static unsigned long long kept[64];

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    kept[size[0] % 64] += size[1];
    *(unsigned long long *)d_out[0] = kept[size[0] % 64];
    return cudaSuccess;
}
