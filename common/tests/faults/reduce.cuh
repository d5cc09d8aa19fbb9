// SPDX-License-Identifier: MIT
//
// reduce.cuh - the correct parts that the planted faults of reductions share: two ways to reduce a
// block, a kernel for each, and their launchers. A fault has its own wrong part.
#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define GRID_SIZE 8

__device__ size_t index_in_grid()
{
    return (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
}

__device__ size_t threads_in_grid()
{
    return (size_t)gridDim.x * BLOCK_SIZE;
}

// ---- a tree, and passes until one element is left, as in lesson 03 ----

// Reduces one value a thread; thread 0 gets the result. All threads of the block must call it.
template <typename T, typename Op = sum_op<T>>
__device__ T block_tree(T value)
{
    __shared__ T s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;

    s_data[tid] = value;
    __syncthreads(); // all values are in place
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = Op()(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's results are in place
    }
    return s_data[0];
}

// The same, and thread 0 stores it as the block's partial.
template <typename T, typename Op = sum_op<T>>
__device__ void store_tree(T value, T *d_out)
{
    value = block_tree<T, Op>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

__global__ void tree_kernel(const float *d_in, float *d_out, size_t n)
{
    const size_t i = index_in_grid();
    store_tree(i < n ? d_in[i] : 0.0f, d_out);
}

template <typename T, void (*kernel)(const T *, T *, size_t)>
static cudaError_t launch_passes(const void *d_in, void *d_out, size_t n, void *d_work,
                                 size_t *work_bytes, cudaStream_t stream)
{
    size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(T);
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    T *d_partials = (T *)d_work;
    while (blocks > 1) {
        kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    kernel<<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

// ---- warp shuffles, and two passes of a grid-stride loop, as in lesson 05 ----

__device__ float warp_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

// Stores the sum of each warp. All threads of the block must call it.
template <float (*warp)(float) = warp_sum>
__device__ void store_sums(float value, float *s_warp)
{
    value = warp(value);
    if (threadIdx.x % WARP_SIZE == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
}

// Sums one value a thread; thread 0 gets the result. All threads of the block must call it, and
// synchronise before they call it again.
template <float (*warp)(float) = warp_sum>
__device__ float block_warps(float value)
{
    __shared__ float s_warp[WARPS];
    const unsigned tid = threadIdx.x;

    store_sums<warp>(value, s_warp);
    return tid < WARP_SIZE ? warp(tid < WARPS ? s_warp[tid] : 0.0f) : 0.0f;
}

// The same, and thread 0 stores it as the block's partial.
template <float (*warp)(float) = warp_sum>
__device__ void store_warps(float value, float *d_out)
{
    value = block_warps<warp>(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

// The sum of this thread's share of the elements.
__device__ float share_sum(const float *d_in, size_t n)
{
    float value = 0.0f;
    for (size_t k = index_in_grid(); k < n; k += threads_in_grid()) {
        value += d_in[k];
    }
    return value;
}

__global__ void grid_kernel(const float *d_in, float *d_out, size_t n)
{
    store_warps(share_sum(d_in, n), d_out);
}

template <void (*kernel)(const float *, float *, size_t), unsigned THREADS = BLOCK_SIZE>
static cudaError_t launch_grid(const void *d_in, void *d_out, size_t n, void *d_work,
                               size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = GRID_SIZE * sizeof(float);
        return cudaSuccess;
    }
    float *d_partials = (float *)d_work;
    kernel<<<GRID_SIZE, THREADS, 0, stream>>>((const float *)d_in, d_partials, n);
    kernel<<<1, THREADS, 0, stream>>>(d_partials, (float *)d_out, GRID_SIZE);
    return cudaGetLastError();
}
