// SPDX-License-Identifier: MIT
//
// 05 grid sync: all blocks wait for each other, and then one reduces the partials.
//
// Idea          A *cooperative* launch has all its blocks on the GPU at once, so they can have a
//               barrier together: grid.sync(). After it all partials are in place. There is no
//               ticket, no tag and no memset, because the driver keeps the barrier's memory.
// What was slow The second launch.
// What is slow  Every block waits for the last one, although only one has something left to do.
// Isolates      The way to meet, against mailbox, which has the same grid and loads.
// Source        CUDA C++ Programming Guide, "Grid Synchronization".
#include <cooperative_groups.h>

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

// Launch: cooperative; BLOCK_SIZE threads a block, any grid that the GPU holds at once.
// d_partials: one element a block.
template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK_SIZE)
    reduce_kernel(const T *d_in, T *d_out, T *d_partials, size_t n)
{
    const Op op;
    T value = block_reduce<T, Op>(thread_reduce<T, Op>(d_in, n));

    if (threadIdx.x == 0) {
        d_partials[blockIdx.x] = value;
    }
    cooperative_groups::this_grid().sync(); // all partials are in place, and all blocks see them
    if (blockIdx.x > 0) {
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

// One launch. Scratch: one partial a block. Same bits every run, as in 05.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, held = 0; // should the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, reduce_kernel<T, Op>, BLOCK_SIZE, 0);

    const size_t block_bytes = (size_t)16 * BLOCK_SIZE * LOADS;
    const size_t most = (size_t)sms * held; // one more, and the launch is refused
    const size_t needed = (n * sizeof(T) + block_bytes - 1) / block_bytes;
    size_t blocks = needed < most ? needed : most;
    blocks = blocks > 0 ? blocks : 1;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T);
        return cudaSuccess;
    }
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = (unsigned)blocks;
    config.blockDim = BLOCK_SIZE;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, reduce_kernel<T, Op>, (const T *)d_in, (T *)d_out,
                              (T *)d_work, n);
}

extern "C" const step_t step = {
    .summary = "one launch: a barrier of the grid, then one block",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
