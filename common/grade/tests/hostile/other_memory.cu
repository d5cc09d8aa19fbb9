// SPDX-License-Identifier: MIT
// Hostile: reads the memory of the grader.
// Expected: 0: #include of 'sys/uio.h'
#include <cuda_runtime.h>
#include <sys/uio.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    char here[64];
    const struct iovec local = {here, sizeof here}, remote = {(void *)0x400000, sizeof here};
    if (process_vm_readv(1, &local, 1, &remote, 1, 0) < 0)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}
