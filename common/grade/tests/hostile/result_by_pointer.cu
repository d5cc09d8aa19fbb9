// SPDX-License-Identifier: MIT
// Hostile: stores by the result of a call through a pointer, straight into place.
// Expected: 0: reaches memory in a way that is not counted
#include <cuda_runtime.h>
#include <new>

struct counts_t {
    unsigned long long v[4];
};
__device__ __noinline__ counts_t few(unsigned long long n)
{
    return counts_t{{n, 0, 0, 0}};
}
__device__ __noinline__ counts_t many(unsigned long long n)
{
    return counts_t{{n, n, 0, 0}};
}

__global__ void count_kernel(counts_t *d_count, size_t n)
{
    counts_t (*const make)(unsigned long long) = n > 1000 ? many : few;
    new (d_count) counts_t(make(n));
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = sizeof(counts_t);
    if (d_work)
        count_kernel<<<1, 1, 0, stream>>>((counts_t *)d_work, size[0]);
    return cudaGetLastError();
}
