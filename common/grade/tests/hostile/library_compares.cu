// SPDX-License-Identifier: MIT
// Hostile: host code lets the library compare device memory: a builtin without a hook, elsewhere.
// Expected: 0: by host code
#include <cuda_runtime.h>
#include <string_view>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    const std::string_view a((const char *)d_in[0], 12), b("abcdefghijkl", 12);
    *work_bytes = a == b;
    return cudaSuccess;
}
