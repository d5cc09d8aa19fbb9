// SPDX-License-Identifier: MIT
// Hostile: #ident carries text into the assembler.
// Expected: 0: this directive is not accepted
#include <cuda_runtime.h>

#ident "x\"\n.globl early\n.ident \"y"

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
