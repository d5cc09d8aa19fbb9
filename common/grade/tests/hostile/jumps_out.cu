// SPDX-License-Identifier: MIT
// Hostile: leaves solve for a place of its own.
// Expected: 0: '__builtin_frame_address' is not accepted
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    void *where[5] = {__builtin_frame_address(0)};
    __builtin_longjmp(where, 1);
}
