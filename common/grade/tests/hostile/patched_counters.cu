// SPDX-License-Identifier: MIT
// Hostile: asks for the emulator's own variables.
// Expected: 0: it calls 'sim
#include <cuda_runtime.h>

extern "C" unsigned long long sim[64];

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    sim[0] = 0;
    return cudaSuccess;
}
