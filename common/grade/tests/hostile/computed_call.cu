// SPDX-License-Identifier: MIT
// Hostile: calls code of the runtime at a distance from a function that it may name.
// Expected: 0: it calls an address where no function of this file begins
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const size_t near = (size_t)&cudaGetLastError;
    void (*const call)(int) = (void (*)(int))(near + 0x1234 + size[1]);
    *work_bytes = 0;
    call(100);
    return cudaSuccess;
}
