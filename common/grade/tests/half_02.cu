// SPDX-License-Identifier: MIT
// Half right: whole warps work, but half of them make the means and half the details.
// Expected: 80 points
#include <cuda_runtime.h>
#include <stddef.h>

// Launch: 512 threads a block, one block a segment.
__global__ void haar_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_mean[2][512];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * 512;
    float(*from)[512] = &s_mean[0], (*to)[512] = &s_mean[1];
    (*from)[t] = first + t < n ? d_in[first + t] : 0.0f;
    __syncthreads(); // all elements are in place
    for (unsigned pairs = 256; pairs > 0; pairs /= 2) {
        if (t < pairs) {
            (*to)[t] = 0.5f * ((*from)[2 * t] + (*from)[2 * t + 1]);
        } else if (t < 2 * pairs) {
            d_out[first + t] = 0.5f * ((*from)[2 * (t - pairs)] - (*from)[2 * (t - pairs) + 1]);
        }
        __syncthreads(); // this level's means are in place
        float(*const free)[512] = from;
        from = to, to = free;
    }
    if (t == 0) {
        d_out[first] = (*from)[0];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (size[0] > 0) {
        haar_kernel<<<(size[0] + 511) / 512, 512, 0, stream>>>((const float *)d_in[0],
                                                               (float *)d_out[0], size[0]);
    }
    return cudaGetLastError();
}
