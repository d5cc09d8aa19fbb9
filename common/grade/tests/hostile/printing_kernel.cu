// SPDX-License-Identifier: MIT
// Hostile: a kernel that prints, which is a call of the host here.
// Expected: 0: nothing was written there
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void print_kernel()
{
    printf("%u passed\n", threadIdx.x);
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    print_kernel<<<1, 32, 0, stream>>>();
    return cudaSuccess;
}
