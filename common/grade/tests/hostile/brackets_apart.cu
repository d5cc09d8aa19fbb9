// SPDX-License-Identifier: MIT
// Hostile: a macro that is nothing parts the brackets of an attribute.
// Expected: 0: 'gnu' is not accepted
#include <cuda_runtime.h>

#define NOTHING
[NOTHING[gnu::no_sanitize("thread")]] static void move(float *to, const float *from)
{
    *to = *from;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    move((float *)d_out[0], (const float *)d_in[0]);
    return cudaSuccess;
}
