// SPDX-License-Identifier: MIT
// Hostile: no tree: four threads add 64 values each, one at a time between two barriers.
// Expected: 80: a tree:
#include <cuda_runtime.h>

template <typename T>
__global__ void sum_kernel(const T *d_in, unsigned long long *d_partials, size_t n, float above)
{
    __shared__ unsigned long long s_value[256];
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    const unsigned tid = threadIdx.x;
    const bool is_count = sizeof(T) == 4;
    s_value[tid] = i >= n ? 0 : is_count ? d_in[i] > above : (unsigned long long)d_in[i];
    unsigned long long sum = 0;
    for (int k = 0; k < 64; k++) {
        __syncthreads();
        sum += tid < 4 ? s_value[4 * k + tid] : 0;
    }
    sum += __shfl_down_sync(0xffffffff, sum, 2);
    sum += __shfl_down_sync(0xffffffff, sum, 1);
    if (tid == 0)
        d_partials[blockIdx.x] = sum;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 16 * (size[0] / 256 + 2);
    if (d_work == NULL)
        return cudaSuccess;
    unsigned long long *out = (unsigned long long *)d_out[0], *part = (unsigned long long *)d_work;
    size_t n = size[0], blocks = n / 256 + 1;
    sum_kernel<<<blocks, 256, 0, stream>>>((const float *)d_in[0], blocks > 1 ? part : out, n,
                                           (float)size[1]);
    for (; blocks > 1; part += n) {
        n = blocks;
        blocks = (n + 255) / 256;
        sum_kernel<<<blocks, 256, 0, stream>>>(part, blocks > 1 ? part + n : out, n, 0.0f);
    }
    return cudaGetLastError();
}
