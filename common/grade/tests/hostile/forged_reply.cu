// SPDX-License-Identifier: MIT
// Hostile: writes a reply to the file of the grader.
// Expected: 0: #include of 'unistd.h'
#include <cuda_runtime.h>
#include <unistd.h>

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    const unsigned long long reply[64] = {1, 2};
    if (write(4, reply, sizeof reply) < 0)
        return cudaErrorInvalidValue;
    return cudaSuccess;
}
