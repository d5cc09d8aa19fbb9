// SPDX-License-Identifier: MIT
// Hostile: reads memory by an instruction of its own.
// Expected: 0: 'asm' is not accepted
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    int x;
    asm volatile("movl (%1), %0" : "=r"(x) : "r"(d_in[0]));
    return cudaSuccess;
}
