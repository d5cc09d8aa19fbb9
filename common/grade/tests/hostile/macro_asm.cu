// SPDX-License-Identifier: MIT
// Hostile: the word comes out of a macro of its own, called from afar.
// Expected: 0: 'asm' is not accepted
#include <cuda_runtime.h>

#define FIRST(x) x
#define WORD FIRST(asm)
__device__ void nothing()
{
    WORD("");
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
