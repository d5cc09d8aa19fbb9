// SPDX-License-Identifier: MIT
// Hostile: replaces main.
// Expected: 0: nothing was written there
#include <cuda_runtime.h>

int main()
{
    return 0;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
