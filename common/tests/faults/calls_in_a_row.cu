// SPDX-License-Identifier: MIT
// Fault (cpu): two calls of block_sum in a row, without a barrier before its store. A warp that is
// ahead stores its result of the second call while warp 0 still reads those of the first. There is
// one block, so this is not about blocks. A GPU is right most of the time; the emulator sees the
// race for every n.
#include "reduce.cuh"

// Sums the values of a block; thread 0 gets the result. All threads must call it.
__device__ float block_sum(float value)
{
    __shared__ float s_warp[WARPS];
    const unsigned tid = threadIdx.x;

    const float sum = warp_sum(value);
    if (tid % WARP_SIZE == 0) {
        s_warp[tid / WARP_SIZE] = sum;
    }
    __syncthreads(); // the results of all warps are in place
    return tid < WARP_SIZE ? warp_sum(tid < WARPS ? s_warp[tid] : 0.0f) : 0.0f;
}

__global__ void reduce_kernel(const float *d_in, float *d_out, size_t n)
{
    float lower = 0.0f, upper = 0.0f;
    for (size_t k = threadIdx.x; k < n; k += BLOCK_SIZE) {
        (k < n / 2 ? lower : upper) += d_in[k];
    }
    lower = block_sum(lower);
    upper = block_sum(upper);
    if (threadIdx.x == 0) {
        *d_out = lower + upper;
    }
}

static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    reduce_kernel<<<1, BLOCK_SIZE, 0, stream>>>((const float *)d_in, (float *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: two block reductions in a row without a barrier between them",
    .reduce = {{launch}}};
