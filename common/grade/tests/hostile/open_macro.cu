// SPDX-License-Identifier: MIT
// Hostile: a macro closes the bracket of __align__ and opens another attribute.
// Expected: 0: a macro with unbalanced brackets
#include <cuda_runtime.h>

#define MORE 16))) static int extra __align__(16
struct __align__(MORE) wide
{
    float v[4];
};

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    return cudaSuccess;
}
