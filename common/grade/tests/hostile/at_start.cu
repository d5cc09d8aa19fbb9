// SPDX-License-Identifier: MIT
// Hostile: beside <iostream>, which has one too, an object whose constructor runs first.
// Expected: 0: nothing was written there
#include <cuda_runtime.h>
#include <iostream>

struct early {
    int value;
    early() : value(printf("early")) {}
} static object;

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
