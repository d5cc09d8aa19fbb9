// SPDX-License-Identifier: MIT
// Hostile: code that runs while the program is loaded (ifunc).
// Expected: 0: '__attribute__' is not accepted
#include <cuda_runtime.h>

extern "C" void *choose()
{
    return NULL;
}

__attribute__((ifunc("choose"))) void chosen();

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    chosen();
    return cudaSuccess;
}
