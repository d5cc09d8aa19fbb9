// SPDX-License-Identifier: MIT
//
// Bug-05a: d_out[0] is the sum of n floats. One block does all of it.
// Why:
#include <cuda_runtime.h>
#include <stddef.h>

#define BLOCK_SIZE 256
#define WARP_SIZE 32
#define WARPS (BLOCK_SIZE / WARP_SIZE)

__global__ void sum_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_sums[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;

    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += BLOCK_SIZE) {
        sum += d_in[i];
    }
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0) {
        s_sums[warp] = sum;
    }
    __syncthreads();

    if (threadIdx.x < WARPS) {
        sum = s_sums[threadIdx.x];
        for (unsigned offset = WARPS / 2; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
        }
        if (threadIdx.x == 0) {
            d_out[0] = sum;
        }
    }
}

// The entry that the grader calls. No scratch memory is needed.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    sum_kernel<<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_in[0], (float *)d_out[0], size[0]);
    return cudaGetLastError();
}
