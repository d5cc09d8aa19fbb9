// SPDX-License-Identifier: MIT
//
// 06 block reduce: the kernel of 05 with cub::BlockReduce at its end, and the result for all.
//
// Idea          CUB also has the levels below a whole array. BlockReduce reduces one value of each
//               thread of a block, with any functor. Its result is valid in thread 0 alone, and
//               one more shared element gives it to all threads: an all-reduce, as softmax needs.
// What changes  From 05 only the block's part. The loop over the input is the same.
// What is slow  The broadcast costs a barrier, though this kernel needs the result in one thread.
// Source        The article on rows (zhuanlan.zhihu.com/p/652255520), its BlockAllReduce.
#include <cub/cub.cuh>

#include "ops.cuh"
#include "step.h"

#define BLOCK_SIZE 256
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// Reduces the values of a block; every thread gets the result. All threads must call it.
template <typename T, typename Op>
__device__ T block_all_reduce(T value)
{
    using block_reduce_t = cub::BlockReduce<T, BLOCK_SIZE>;
    __shared__ typename block_reduce_t::TempStorage s_storage;
    __shared__ T s_result;

    value = block_reduce_t(s_storage).Reduce(value, Op());
    if (threadIdx.x == 0) {
        s_result = value;
    }
    __syncthreads(); // the result is in place
    return s_result;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: CUB's storage and one element.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // A head up to the first 16-byte boundary, whole packs, a tail: see 04.
    const size_t pack_size = 16 / sizeof(T);
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / pack_size;
    const size_t tail = head + packs * pack_size; // index of the tail's first element
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_in + head);

    T value = Op::identity();
    for (size_t p = i; p < packs; p += threads) {
        const pack_t<T> pack = d_packs[p];
        for (unsigned k = 0; k < pack_size; k++) {
            value = op(value, pack.elem[k]);
        }
    }
    if (i < head) {
        value = op(value, d_in[i]);
    }
    if (i < n - tail) {
        value = op(value, d_in[tail + i]);
    }

    value = block_all_reduce<T, Op>(value);
    if (tid == BLOCK_SIZE - 1) { // every thread has it; the last one shows it
        d_out[blockIdx.x] = value;
    }
}

// Two passes, as in 05: n elements to one partial a block, the partials to one.
// Scratch: one partial a block. The order of additions depends on the alignment of d_in, on the
// GPU and on the version of CUB: same bits every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // if the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    // The largest grid is as many threads as the SMs can hold; small inputs need fewer blocks.
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n * sizeof(T) + BLOCK_BYTES - 1) / BLOCK_BYTES;
    const size_t blocks = needed < most ? needed : most;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T);
        return cudaSuccess;
    }

    const T *d_src = (const T *)d_in;
    if (blocks > 1) {
        reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_work, n);
        d_src = (const T *)d_work;
        n = blocks;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>(d_src, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "05 with cub::BlockReduce, its result broadcast to the block",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
