// SPDX-License-Identifier: MIT
// Hostile: writes zero, which is right where nothing is above.
// Expected: 0: one block: 0
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaMemsetAsync(d_out[0], 0, 8, stream);
}
