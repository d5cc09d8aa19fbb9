// SPDX-License-Identifier: MIT
// Hostile: shows a file of the machine in the messages of the compiler.
// Expected: 0: #include of '/etc/passwd' is not accepted
#include <cuda_runtime.h>

#include "/etc/passwd"

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    return cudaSuccess;
}
