// SPDX-License-Identifier: MIT
// Hostile: puts a clock of its own under the grader.
// Expected: 0: nothing was written there
#include <cuda_runtime.h>

extern "C" long clock() noexcept
{
    return 0;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = (size_t)clock();
    return cudaSuccess;
}
