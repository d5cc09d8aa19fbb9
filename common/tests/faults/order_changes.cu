// SPDX-License-Identifier: MIT
// Control: every launch starts at another element, so the sum is right and its bits change from run
// to run. The checker must pass it; the test of reproducibility must not.
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define GRID_SIZE 8

__device__ unsigned turn; // launches so far

__global__ void next_turn()
{
    turn++;
}

__device__ float warp_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    __shared__ float s_warp[WARPS];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    float value = 0.0f;
    for (size_t k = i; k < n; k += threads) {
        value += d_in[(k + turn) % n];
    }

    const float sum = warp_sum(value);
    if (tid % WARP_SIZE == 0) {
        s_warp[tid / WARP_SIZE] = sum;
    }
    __syncthreads(); // the results of all warps are in place
    if (tid < WARP_SIZE) {
        value = warp_sum(tid < WARPS ? s_warp[tid] : 0.0f);
    }
    if (tid == 0) {
        d_out[blockIdx.x] = value;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = GRID_SIZE * sizeof(float);
        return cudaSuccess;
    }
    float *d_partials = (float *)d_work;
    next_turn<<<1, 1, 0, stream>>>();
    reduce_kernel<<<GRID_SIZE, BLOCK_SIZE, 0, stream>>>((const float *)d_in, d_partials, n);
    reduce_kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_partials, (float *)d_out, GRID_SIZE);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "control: right, in another order each run",
    .reduce = {{launch}},
};
