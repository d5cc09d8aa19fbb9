// SPDX-License-Identifier: MIT
//
// 05 one pass: the last block to finish reduces the partials. One launch, two loads in flight.
//
// Idea          Each block leaves its partial and takes a ticket. The block with the last ticket
//               knows that all partials are there. It reduces them in the order of the blocks, so
//               the result has the same bits every run, whichever block comes last.
//               And each thread issues 2 loads before it adds: twice the bytes in flight.
// What was slow The second launch; and one 16-byte load in flight for each thread.
// Limit         A ticket counts from 0, and the scratch holds anything: a memset before each
//               launch.
// Source        NVIDIA's sample threadFenceReduction.
#include <cuda/atomic>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define LOADS 2 // packs that a thread has in flight

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

// Reduces the values of a block; thread 0 gets the result. All threads must call it. Between two
// calls there must be a barrier.
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

// The part of the input that belongs to one thread of the grid, as in 04: a head up to the first
// 16-byte boundary, whole packs, a tail. Packs go LOADS at a time: all loads, then all additions.
template <typename T, typename Op>
__device__ T thread_reduce(const T *d_in, size_t n)
{
    const Op op;
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    const size_t pack_size = 16 / sizeof(T);
    const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
    const size_t head = to_boundary < n ? to_boundary : n;
    const size_t packs = (n - head) / pack_size;
    const size_t tail = head + packs * pack_size;
    const pack_t<T> *d_packs = (const pack_t<T> *)(d_in + head);

    T value = Op::identity();
    for (size_t p = i; p < packs; p += LOADS * threads) {
        pack_t<T> pack[LOADS];
        for (unsigned j = 0; j < LOADS; j++) {
            if (p + j * threads < packs) {
                pack[j] = d_packs[p + j * threads];
            }
        }
        for (unsigned j = 0; j < LOADS; j++) {
            for (unsigned k = 0; k < pack_size && p + j * threads < packs; k++) {
                value = op(value, pack[j].elem[k]);
            }
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

// Launch: BLOCK_SIZE threads a block, any grid. d_partials: one element a block. *d_tickets: 0.
template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK_SIZE)
    reduce_kernel(const T *d_in, T *d_out, T *d_partials, unsigned *d_tickets, size_t n)
{
    __shared__ bool s_last;
    const Op op;
    T value = block_reduce<T, Op>(thread_reduce<T, Op>(d_in, n));

    if (threadIdx.x == 0) {
        d_partials[blockIdx.x] = value;
        // Release before, acquire after: what a block stored, the taker of a later ticket sees.
        const cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket(*d_tickets);
        s_last = ticket.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads(); // the verdict is in place, and what thread 0 sees all threads see
    if (!s_last) {
        return;
    }
    value = Op::identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK_SIZE) {
        value = op(value, d_partials[b]);
    }
    value = block_reduce<T, Op>(value);
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// A memset and one launch. Scratch: one partial a block, and the tickets. Same bits every run, as
// in 05.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // should the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    const size_t block_bytes = (size_t)16 * BLOCK_SIZE;
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n * sizeof(T) + block_bytes - 1) / block_bytes;
    size_t blocks = needed < most ? needed : most;
    blocks = blocks > 0 ? blocks : 1;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T) + sizeof(unsigned);
        return cudaSuccess;
    }
    T *d_partials = (T *)d_work;
    unsigned *d_tickets = (unsigned *)(d_partials + blocks);
    const cudaError_t error = cudaMemsetAsync(d_tickets, 0, sizeof(unsigned), stream);
    if (error != cudaSuccess) {
        return error;
    }
    reduce_kernel<T, Op><<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out,
                                                                      d_partials, d_tickets, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one launch: the last block reduces the partials",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
