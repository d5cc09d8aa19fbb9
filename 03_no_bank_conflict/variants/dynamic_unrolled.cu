// SPDX-License-Identifier: MIT
//
// 03 dynamic unrolled: `shared_unrolled` with shared memory whose size the launch gives.
//
// Idea          `extern __shared__` has no size in the source; the third number of <<<>>> gives it.
//               All arrays of that kind begin at the same place and have one type in a program,
//               so a template takes bytes and converts the pointer.
// What it shows Compared with `shared_unrolled`, what it costs that the compiler doesn't know the
//               size of the array.
// Source        J. Cheng and others, "Professional CUDA C Programming": the list of its steps.
#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256 // a power of two, 64 or more: the tree halves it down to 1
#define WARP_SIZE 32

// Launch: BLOCK_SIZE threads a block, one thread an element. Shared: BLOCK_SIZE elements, dynamic.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    extern __shared__ __align__(16) unsigned char s_bytes[]; // BLOCK_SIZE * sizeof(T) of them
    T *const s_data = (T *)s_bytes;
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;

    s_data[tid] = i < n ? d_in[i] : Op::identity();
    __syncthreads(); // all elements are in place

    // stride 128: thread 0 adds [0]+[128], thread 1 adds [1]+[129], thread 2 adds [2]+[130], ...
    // stride  64: thread 0 adds [0]+[64], thread 1 adds [1]+[65], ...
    for (unsigned stride = BLOCK_SIZE / 2; stride > WARP_SIZE; stride /= 2) {
        if (tid < stride) {
            s_data[tid] = op(s_data[tid], s_data[tid + stride]);
        }
        __syncthreads(); // this round's sums are in place
    }
    // Strides 32 to 1: warp 0 alone, thread 0 adds [0]+[32], then [0]+[16], ..., [0]+[1].
    if (tid < WARP_SIZE) {
        for (unsigned stride = WARP_SIZE; stride > 0; stride /= 2) {
            if (tid < stride) {
                s_data[tid] = op(s_data[tid], s_data[tid + stride]);
            }
            __syncwarp(); // lanes may drift apart: this round's sums must be in place
        }
    }
    if (tid == 0) {
        d_out[blockIdx.x] = s_data[0];
    }
}

// Reduces n elements to one: n to ceil(n / 256) partials, those again, until one is left.
// Scratch: the partials of all passes. The order of additions is fixed: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    size_t blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (d_work == NULL) {
        *work_bytes = 2 * blocks * sizeof(T); // each pass is 256 times smaller: 2 is plenty
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    T *d_partials = (T *)d_work;
    const size_t s_size = BLOCK_SIZE * sizeof(T);
    while (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, s_size, stream>>>(d_src, d_partials, n);
        d_src = d_partials;
        d_partials += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, s_size, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "03 unrolled, with shared memory sized at the launch",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
