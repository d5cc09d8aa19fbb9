// SPDX-License-Identifier: MIT
// Hostile: an object file of 8 GiB.
// Expected: 0: it takes a file of more than 64 MiB to compile
#include <cuda_runtime.h>

__device__ char d_big[(size_t)1 << 33] = {1};

__global__ void big_kernel()
{
    d_big[threadIdx.x] = 1;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    big_kernel<<<1, 1, 0, stream>>>();
    return cudaSuccess;
}
