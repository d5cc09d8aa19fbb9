// SPDX-License-Identifier: MIT
// Hostile: the second kernel runs on another stream than the first, so in no order with it.
// Expected: 65: work on another stream than the one that solve gets
#include <cuda_runtime.h>

// One block counts and adds in a tree; a second kernel copies the result.
__global__ void count_kernel(const float *d_in, unsigned long long *d_sum, size_t n, float above)
{
    __shared__ unsigned long long s_count[256];
    unsigned long long count = 0;
    for (size_t i = threadIdx.x; i < n; i += 256)
        count += d_in[i] > above;
    s_count[threadIdx.x] = count;
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        __syncthreads(); // the sums of the round before are in place
        if (threadIdx.x < stride)
            s_count[threadIdx.x] += s_count[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        *d_sum = s_count[0];
}
__global__ void copy_kernel(const unsigned long long *d_sum, unsigned long long *d_count)
{
    *d_count = *d_sum;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 8;
    if (d_work == NULL)
        return cudaSuccess;
    count_kernel<<<1, 256, 0, stream>>>((const float *)d_in[0], (unsigned long long *)d_work,
                                        size[0], (float)size[1]);
    copy_kernel<<<1, 1, 0, cudaStreamPerThread>>>((unsigned long long *)d_work,
                                                  (unsigned long long *)d_out[0]);
    return cudaGetLastError();
}
