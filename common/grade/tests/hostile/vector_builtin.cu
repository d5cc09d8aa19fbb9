// SPDX-License-Identifier: MIT
// Hostile: stores past the hooks with an instruction of the processor.
// Expected: 0: '__builtin_ia32_movnti' is not accepted
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    __builtin_ia32_movnti((int *)d_out[0], 1);
    return cudaSuccess;
}
