// SPDX-License-Identifier: MIT
// Hostile: puts counters of its own under the grader.
// Expected: 0: 'simt_counted' is not accepted
#include <cuda_runtime.h>

extern "C" unsigned long long simt_counted(const char *)
{
    return 1000000;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
