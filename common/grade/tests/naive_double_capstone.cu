// SPDX-License-Identifier: MIT
// Without the idea: sums of x and x^2 in double, whose difference may fall below 0.
// Expected: 80 points
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

// The sum over a warp's 32 lanes, in every lane.
__device__ double warp_sum(double value)
{
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

// Launch: 256 threads a block, one block a row; shared: a row if it is short.
__global__ void norm_kernel(const float *d_in, const float *d_gamma, const float *d_beta,
                            float *d_out, size_t cols, bool kept)
{
    extern __shared__ float s_row[];
    __shared__ double s_sum[8], s_squares[8];
    const float *d_row = d_in + blockIdx.x * cols;
    double sum = 0, squares = 0;
    for (size_t c = threadIdx.x; c < cols; c += 256) {
        const float x = d_row[c];
        sum += x;
        squares += (double)x * x;
        if (kept) {
            s_row[c] = x;
        }
    }
    sum = warp_sum(sum);
    squares = warp_sum(squares);
    if (threadIdx.x % 32 == 0) {
        s_sum[threadIdx.x / 32] = sum;
        s_squares[threadIdx.x / 32] = squares;
    }
    __syncthreads(); // the sums of all warps are in place
    sum = squares = 0;
    for (int w = 0; w < 8; w++) {
        sum += s_sum[w];
        squares += s_squares[w];
    }
    const double mean = sum / cols;
    const float scale = 1.0f / sqrtf((float)(squares / cols - mean * mean) + 1e-5f);
    for (size_t c = threadIdx.x; c < cols; c += 256) {
        const float x = kept ? s_row[c] : d_row[c];
        d_out[blockIdx.x * cols + c] = (x - (float)mean) * scale * d_gamma[c] + d_beta[c];
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
        norm_kernel<<<rows, 256, kept ? cols * sizeof(float) : 0, stream>>>(
            (const float *)d_in[0], (const float *)d_in[1], (const float *)d_in[2],
            (float *)d_out[0], cols, kept);
    }
    return cudaGetLastError();
}
