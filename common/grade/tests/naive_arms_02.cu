// SPDX-License-Identifier: MIT
// Without the idea: even lanes compute means and odd lanes details, with no access in a branch.
// Expected: 60 points
#include <cuda_runtime.h>
#include <stddef.h>

__device__ __noinline__ float mean(float a, float b)
{
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += 0.125f * (a + b);
    }
    return sum;
}

__device__ __noinline__ float detail(float a, float b)
{
    float sum = 0;
    for (int k = 0; k < 2; k++) {
        sum += 0.25f * (a - b);
    }
    return sum;
}

// Launch: 512 threads a block, one block a segment. Thread t holds what becomes of element t.
__global__ void haar_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_mean[16], s_result[512];
    const unsigned t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * 512;
    float value = first + t < n ? d_in[first + t] : 0.0f;
    unsigned place = 0;
    for (unsigned stride = 1; stride < 32; stride *= 2) {
        const float other = __shfl_xor_sync(0xffffffff, value, stride); // mask: all 32 lanes
        if (t % (2 * stride) == 0) {
            value = mean(value, other);
        } else if (t % (2 * stride) == stride) {
            value = detail(other, value);
            place = (512 + t) / (2 * stride);
        }
    }
    if (t % 32 == 0) {
        s_mean[t / 32] = value;
    }
    __syncthreads(); // the means of all warps are in place
    if (t % 32 == 0) {
        value = s_mean[t / 32];
        for (unsigned stride = 1; stride < 16; stride *= 2) {
            // Each of them looks at all 16, so that no barrier is needed.
            float a = 0, b = 0;
            const unsigned left = t / 32 / (2 * stride) * (2 * stride);
            for (unsigned k = 0; k < stride; k++) {
                a += s_mean[left + k];
                b += s_mean[left + stride + k];
            }
            a /= stride;
            b /= stride;
            if (t / 32 % (2 * stride) == 0) {
                value = mean(a, b);
            } else if (t / 32 % (2 * stride) == stride) {
                value = detail(a, b);
                place = (16 + t / 32) / (2 * stride);
            }
        }
    }
    s_result[place] = value;
    __syncthreads(); // all results are in place
    d_out[first + t] = s_result[t];
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
