// SPDX-License-Identifier: MIT
//
// 05 single block: one block does it all, for small n.
//
// Idea          Blocks that work together must meet somewhere, and that costs a trip to the L2 and
//               back or a second launch. One block meets in its own shared memory.
// What was slow The second launch, from 1025 floats on.
// Limit         One SM reads 107 GB/s (from 2^14 to 2^16 floats), about 2 % of an H200's peak. At
//               2^14 it is a little slower than `mailbox`, 2.54 and 2.44 us; at 2^16 it is much
//               slower, 4.37 and 2.63 us.
// Source        CUB has such a kernel too, "single tile".
#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 1024 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define LOADS 4 // packs that a thread has in flight

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

template <typename T, typename Op>
__device__ T warp_reduce(T value)
{
    const Op op;
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset)); // mask: all 32 lanes
    }
    return value;
}

// Reduces the values of a block; thread 0 gets the result. All threads must call it, once.
template <typename T, typename Op>
__device__ T block_reduce(T value)
{
    __shared__ T s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const unsigned warp = threadIdx.x / WARP_SIZE;

    value = warp_reduce<T, Op>(value);
    if (lane == 0) {
        s_warp[warp] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (warp == 0) {
        value = lane < WARPS ? s_warp[lane] : Op::identity();
        value = warp_reduce<T, Op>(value);
    }
    return value;
}

// `value` and the elements of a pack.
template <typename T, typename Op>
__device__ T pack_reduce(T value, const pack_t<T> &pack)
{
    for (unsigned k = 0; k < 16 / sizeof(T); k++) {
        value = Op()(value, pack.elem[k]);
    }
    return value;
}

// The part of the input that belongs to one thread: of the head, the tail and the packs between
// them, as in 04. A block takes tiles of LOADS packs a thread.
template <typename T, typename Op>
__device__ T thread_reduce(const T *d_in, size_t n)
{
    const Op op;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t tile = (size_t)BLOCK_SIZE * LOADS;
    const size_t pack_size = 16 / sizeof(T);
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / pack_size;
    const size_t tail = head + packs * pack_size;
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_in + head);

    T value = Op::identity();
    pack_t<T> pack[LOADS];
    size_t p = blockIdx.x * tile + threadIdx.x;
    for (; p + gridDim.x * tile < packs; p += gridDim.x * tile) { // one more follows: whole
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = d_packs[p + j * BLOCK_SIZE];
        }
        for (unsigned j = 0; j < LOADS; j++) {
            value = pack_reduce<T, Op>(value, pack[j]);
        }
    }
    for (unsigned j = 0; j < LOADS; j++) { // the last one may have holes
        if (p + j * BLOCK_SIZE < packs) {
            pack[j] = d_packs[p + j * BLOCK_SIZE];
        }
    }
    for (unsigned j = 0; j < LOADS; j++) {
        if (p + j * BLOCK_SIZE < packs) {
            value = pack_reduce<T, Op>(value, pack[j]);
        }
    }
    if (i < head) {
        value = op(value, d_in[i]);
    }
    if (i < n - tail) {
        value = op(value, d_in[tail + i]);
    }
    return value;
}

// Launch: one block of BLOCK_SIZE threads.
template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK_SIZE) reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const T value = block_reduce<T, Op>(thread_reduce<T, Op>(d_in, n));
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// One launch, no scratch. The order of additions depends on n and the alignment of d_in: same bits
// every run.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one block for everything, for small n",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
