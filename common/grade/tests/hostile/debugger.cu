// SPDX-License-Identifier: MIT
// Hostile: stops the grader with ptrace.
// Expected: 0: #include of 'sys/ptrace.h'
#include <cuda_runtime.h>
#include <sys/ptrace.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (ptrace(PTRACE_ATTACH, 1, 0, 0) != 0)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}
