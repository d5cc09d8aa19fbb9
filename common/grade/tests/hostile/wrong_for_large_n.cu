// SPDX-License-Identifier: MIT
// Hostile: right for small n, wrong for large n. It keeps the points of the small ones.
// Expected: 55: several passes
#include <cuda_runtime.h>

// Launch: one block of 256 threads, which counts all of the first 60000 and adds in a tree.
__global__ void count_kernel(const float *d_in, unsigned long long *d_count, size_t n,
                             float threshold)
{
    __shared__ unsigned long long s_count[256];
    unsigned long long count = 0;
    for (size_t i = threadIdx.x; i < n && i < 60000; i += 256)
        count += d_in[i] > threshold;
    s_count[threadIdx.x] = count;
    __syncthreads(); // all values are in place
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            s_count[threadIdx.x] += s_count[threadIdx.x + stride];
        __syncthreads(); // this round's sums are in place
    }
    if (threadIdx.x == 0)
        *d_count = s_count[0];
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work == NULL)
        return cudaSuccess;
    count_kernel<<<1, 256, 0, stream>>>((const float *)d_in[0], (unsigned long long *)d_out[0],
                                        size[0], (float)size[1]);
    return cudaGetLastError();
}
