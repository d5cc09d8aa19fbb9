// SPDX-License-Identifier: MIT
// Hostile: a loop without an end that touches no memory.
// Expected: 0: no answer in
#include <cuda_runtime.h>

__global__ void spin_kernel(unsigned long long *d_count, unsigned step)
{
    unsigned x = 1;
    while (x != 0)
        x = x * 5 + 2 * step;
    *d_count = x;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    spin_kernel<<<1, 1, 0, stream>>>((unsigned long long *)d_out[0], (unsigned)size[0] & 0);
    return cudaGetLastError();
}
