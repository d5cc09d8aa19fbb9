// SPDX-License-Identifier: MIT
// Hostile: catches what would end it.
// Expected: 0: #include of 'signal.h'
#include <cuda_runtime.h>
#include <signal.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    signal(SIGXCPU, SIG_IGN);
    return cudaSuccess;
}
