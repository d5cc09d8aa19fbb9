// SPDX-License-Identifier: MIT
// Hostile: a kernel writes to the stack of the host.
// Expected: 0: out-of-bounds write
#include <cuda_runtime.h>

__global__ void reach_kernel(size_t *to)
{
    *to = 0;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    size_t found = 1;
    reach_kernel<<<1, 1, 0, stream>>>(&found);
    return found == 0 ? cudaSuccess : cudaGetLastError();
}
