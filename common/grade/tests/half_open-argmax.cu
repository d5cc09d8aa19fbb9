// SPDX-License-Identifier: MIT
// Half right: one launch, but of one block, and NaN is skipped.
// Expected: 45 points
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

struct best_t {
    float value;
    unsigned long long index;
};

__device__ best_t better(best_t a, best_t b)
{
    const bool same = a.value == b.value;
    return (same ? b.index < a.index : b.value > a.value) ? b : a;
}

// The best of a block of 256, for thread 0.
__device__ best_t block_best(best_t best)
{
    __shared__ float s_value[256];
    __shared__ unsigned long long s_index[256];
    const unsigned tid = threadIdx.x;
    s_value[tid] = best.value;
    s_index[tid] = best.index;
    __syncthreads();
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        if (tid < stride) {
            best = better(best, {s_value[tid + stride], s_index[tid + stride]});
            s_value[tid] = best.value;
            s_index[tid] = best.index;
        }
        __syncthreads();
    }
    return best;
}

__global__ void argmax_kernel(const float *d_in, float *d_value, unsigned long long *d_index,
                              size_t n)
{
    best_t best = {-INFINITY, ~0ull};
    for (size_t i = threadIdx.x; i < n; i += 256) {
        best = better(best, {d_in[i], i});
    }
    best = block_best(best);
    if (threadIdx.x == 0) {
        *d_value = best.value;
        *d_index = n > 0 ? best.index : 0;
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    argmax_kernel<<<1, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0],
                                         (unsigned long long *)d_out[1], size[0]);
    return cudaGetLastError();
}
