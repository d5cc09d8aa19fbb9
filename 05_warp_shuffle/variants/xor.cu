// SPDX-License-Identifier: MIT
//
// 05 xor: the shuffle that gives every lane the result.
//
// Idea          Lane l takes the value of lane l ^ offset. After 5 rounds all 32 lanes hold the
//               result, and not only lane 0. Every warp then does the same with the results of the
//               warps, so each thread of the block ends with the result of the block.
// What was slow If all threads need the result, as in a softmax, 05 has to send it back through
//               shared memory, with a second barrier. For one result a block there is no gain.
// Isolates      Xor against down, with the same number of shuffles and barriers.
// Source        The article on row reductions by warps and blocks; its block reduction uses xor.
#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define BLOCK_BYTES (16 * BLOCK_SIZE) // one load of every thread of a block

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// Reduces the values of a warp's 32 lanes; every lane gets the result. All 32 lanes must call it.
//   offset 16: lane 0 and lane 16 exchange their values, lane 1 and lane 17, ...
//   offset  8: lane 0 and lane 8, which by now hold 2 values each; and so on down to 1.
// a + b and b + a have the same bits, so all lanes get the same bits of a sum. A max of +0 and -0
// may be +0 in one lane and -0 in another.
template <typename T, typename Op>
__device__ T warp_all_reduce(T value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_xor_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Launch: BLOCK_SIZE threads a block, any grid. Shared: one element a warp.
// Reads each element once, writes one partial a block. d_in needs no alignment; n may be 0.
template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_warp[WARPS];
    const Op op;
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + tid;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;

    // Three parts: a head up to the first 16-byte boundary, whole packs, a tail.
    // f32 with d_in at address 4 and n = 12: 3 in the head, 2 packs of 4, 1 in the tail.
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

    const unsigned lane = tid % WARP_SIZE;
    const unsigned warp = tid / WARP_SIZE;
    value = warp_all_reduce<T, Op>(value);
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place

    value = lane < WARPS ? s_warp[lane] : Op::identity();
    value = warp_all_reduce<T, Op>(value);
    if (tid == BLOCK_SIZE - 1) { // the last thread has the result as well as thread 0
        d_out[blockIdx.x] = value;
    }
}

// Two passes: n elements to one partial a block, the partials to one with a single block.
// Scratch: one partial a block. The order of additions depends on n, the alignment of d_in and
// the GPU, on nothing else: same bits every run.
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
    .summary = "warp shuffles by xor: every thread gets the result",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
