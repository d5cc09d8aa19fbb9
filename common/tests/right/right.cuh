// SPDX-License-Identifier: MIT
//
// right.cuh - what the right designs share: a thread's share, a block's tree, launchers, the table.
// Each file adds the part that its design is about. None may be rejected: a checker that rejects a
// right kernel is as bad as one that accepts a wrong one.
#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define GRID_SIZE 16

// Reduces one value a thread of a block of THREADS; thread 0 gets the result. All must call it.
template <typename T, typename Op, unsigned THREADS>
__device__ T block_tree(T value)
{
    __shared__ T s_data[THREADS];
    const unsigned tid = threadIdx.x;

    s_data[tid] = value;
    __syncthreads(); // all values are in place
    for (unsigned stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = Op()(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's results are in place
    }
    return s_data[0];
}

// The same, and thread 0 stores it.
template <typename T, typename Op, unsigned THREADS = BLOCK_SIZE>
__device__ void store_tree(T value, T *d_out)
{
    value = block_tree<T, Op, THREADS>(value);
    if (threadIdx.x == 0) {
        *d_out = value;
    }
}

// The elements of this thread, a grid apart.
template <typename T, typename Op>
__device__ T share(const T *d_in, size_t n)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;

    T value = Op::identity();
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += threads) {
        value = Op()(value, d_in[k]);
    }
    return value;
}

// A grid of any size, then one block for its partials.
template <typename T, void (*kernel)(const T *, T *, size_t), unsigned BLOCKS, unsigned THREADS>
static cudaError_t launch_twice(const void *d_in, void *d_out, size_t n, void *d_work,
                                size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = BLOCKS * sizeof(T);
        return cudaSuccess;
    }
    kernel<<<BLOCKS, THREADS, 0, stream>>>((const T *)d_in, (T *)d_work, n);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    kernel<<<1, THREADS, 0, stream>>>((const T *)d_work, (T *)d_out, BLOCKS);
    return cudaGetLastError();
}

// Sum, max and min of f32, f64 and i32 by launch<T, Op>.
#define ROW(launch, T)                                                                             \
    {                                                                                              \
        launch<T, sum_op<T>>, launch<T, max_op<T>>, launch<T, min_op<T>>                           \
    }
#define STEP(words, launch)                                                                        \
    extern "C" const step_t step = {                                                               \
        .summary = "right: " words,                                                                \
        .reduce = {ROW(launch, float), ROW(launch, double), ROW(launch, int)}}
