// SPDX-License-Identifier: MIT
// Half right: reads each row once, but computes the variance as sum(x^2) / n - mean^2.
// Expected: 75 points
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

// The sum over a warp's 32 lanes, in every lane.
__device__ float warp_sum(float value)
{
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

// Launch: 32 threads a block, one block a row; shared: a row if it is short.
__global__ void norm_kernel(const float *d_in, const float *d_gamma, const float *d_beta,
                            float *d_out, size_t cols, bool kept)
{
    extern __shared__ float s_row[];
    const float *d_row = d_in + blockIdx.x * cols;
    float sum = 0.0f, squares = 0.0f;
    for (size_t c = threadIdx.x; c < cols; c += 32) {
        const float x = d_row[c];
        sum += x;
        squares += x * x;
        if (kept) {
            s_row[c] = x;
        }
    }
    const float mean = warp_sum(sum) / cols;
    const float variance = fmaxf(warp_sum(squares) / cols - mean * mean, 0.0f);
    const float scale = 1.0f / sqrtf(variance + 1e-5f);
    for (size_t c = threadIdx.x; c < cols; c += 32) {
        const float x = kept ? s_row[c] : d_row[c];
        d_out[blockIdx.x * cols + c] = (x - mean) * scale * d_gamma[c] + d_beta[c];
    }
}

extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    const size_t rows = size[0], cols = size[1];
    const bool kept = cols <= 8192;
    if (rows > 0 && cols > 0) {
        norm_kernel<<<rows, 32, kept ? cols * sizeof(float) : 0, stream>>>(
            (const float *)d_in[0], (const float *)d_in[1], (const float *)d_in[2],
            (float *)d_out[0], cols, kept);
    }
    return cudaGetLastError();
}
