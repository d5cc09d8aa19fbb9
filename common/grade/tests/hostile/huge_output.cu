// SPDX-License-Identifier: MIT
// Hostile: prints until the disk is full.
// Expected: 0: no answer in
#include <cuda_runtime.h>
#include <stdio.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    for (;;)
        putchar('x');
}
