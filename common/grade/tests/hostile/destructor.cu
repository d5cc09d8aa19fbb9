// SPDX-License-Identifier: MIT
// Hostile: a variable whose destructor runs after main.
// Expected: 0: nothing was written there
#include <cuda_runtime.h>

struct late {
    ~late() { cudaGetLastError(); }
} late;

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
