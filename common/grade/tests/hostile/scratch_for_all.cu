// SPDX-License-Identifier: MIT
// Hostile: asks for more scratch than there is.
// Expected: 0: it asks for
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = (size_t)1 << 50;
    return d_work == NULL ? cudaSuccess : cudaErrorInvalidValue;
}
