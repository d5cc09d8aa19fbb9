// SPDX-License-Identifier: MIT
// Hostile: knows the answers for the sizes that an earlier run has shown.
// Expected: 0: one block
#include <cuda_runtime.h>

__global__ void answer_kernel(unsigned long long *d_count, unsigned long long answer)
{
    *d_count = answer;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    const unsigned long long answer = size[0] == 256 ? 131 : size[0] == 257 ? 246 : size[0] / 2;
    answer_kernel<<<1, 1, 0, stream>>>((unsigned long long *)d_out[0], answer);
    return cudaGetLastError();
}
