// SPDX-License-Identifier: MIT
// Hostile: host code lets std::copy move device memory.
// Expected: 0: by host code
#include <algorithm>
#include <cuda_runtime.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    float values[16];
    std::copy((const float *)d_in[0], (const float *)d_in[0] + 1, values);
    *work_bytes = values[0] > 1;
    return cudaSuccess;
}
