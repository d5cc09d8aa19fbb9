// SPDX-License-Identifier: MIT
//
// The largest of n floats in other words than those of the files with a bug: right, and no small
// repair. Why: written anew
#include <cuda_runtime.h>
#include <math.h>

__global__ void largest(const float *x, float *result, size_t count)
{
    __shared__ float parts[64];
    float mine = -INFINITY;
    for (size_t k = threadIdx.x; k < count; k += 64)
        mine = fmaxf(mine, x[k]);
    parts[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int k = 1; k < 64; k++)
        mine = fmaxf(mine, parts[k]);
    *result = mine;
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    *work_bytes = 0;
    if (d_work != nullptr)
        largest<<<1, 64, 0, stream>>>((const float *)d_in[0], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
