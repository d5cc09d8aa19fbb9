// SPDX-License-Identifier: MIT
// Fault: places without an element hold 0, which is larger than any negative number. Shows where
// all elements are negative and a block is not full.
#include "step.h"

#define BLOCK_SIZE 256

// `a != a` is true for NaN alone: a NaN on either side stays.
template <typename T>
__device__ T larger(T a, T b)
{
    return a > b || a != a ? a : b;
}

template <typename T>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_data[BLOCK_SIZE];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : T(0);
    __syncthreads(); // all elements are in place
    for (unsigned stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = larger(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's values are in place
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

template <typename T>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(T);
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    T *d_partials = (T *)d_work;
    while (blocks > 1) {
        reduce_kernel<T><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    reduce_kernel<T><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "fault: 0 as the identity of max",
    .reduce = {{NULL, launch<float>}, {}, {NULL, launch<int>}},
};
