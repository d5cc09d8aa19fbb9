// SPDX-License-Identifier: MIT
// Right but slow: two passes, the mean and then the squared deviations.
// Expected: 70 points
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

// Adds the values of 256 threads; all of them get the sum.
__device__ double block_sum(double value)
{
    __shared__ double s_data[256];
    __syncthreads(); // the previous sum has been read
    s_data[threadIdx.x] = value;
    __syncthreads(); // all values are in place
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            s_data[threadIdx.x] += s_data[threadIdx.x + stride];
        }
        __syncthreads(); // this round's sums are in place
    }
    return s_data[0];
}

// Launch: one block.
__global__ void moments_kernel(const float *d_in, float *d_out, size_t n)
{
    double value = 0, count = 0;
    for (size_t i = threadIdx.x; i < n; i += 256) {
        const float x = d_in[i];
        value += isnan(x) ? 0 : x;
        count += !isnan(x);
    }
    count = block_sum(count);
    const double mean = count > 0 ? block_sum(value) / count : 0;
    value = 0;
    for (size_t i = threadIdx.x; i < n; i += 256) {
        const double delta = d_in[i] - mean;
        value += isnan(delta) ? 0 : delta * delta;
    }
    const double variance = count > 0 ? block_sum(value) / count : 0;
    if (threadIdx.x == 0) {
        d_out[0] = (float)mean;
        d_out[1] = (float)variance;
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    moments_kernel<<<1, 256, 0, stream>>>((const float *)d_in[0], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
