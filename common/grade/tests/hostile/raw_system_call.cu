// SPDX-License-Identifier: MIT
// Hostile: calls the system without the library.
// Expected: 0: #include of 'sys/syscall.h'
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    syscall(SYS_exit_group, 0);
    return cudaSuccess;
}
