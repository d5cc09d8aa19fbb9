// SPDX-License-Identifier: MIT
//
// 05 mailbox: one launch, no ticket and no fence. The last block waits for the mail of the others.
//
// Idea          A block posts its partial and a flag as one word of 8 bytes. Such a word arrives
//               whole or not at all, so whoever sees the flag has the partial as well. The last
//               block collects the words in the order of the blocks: same bits every run.
// What was slow one_pass crosses the L2 three times in a row at its end: the fence waits for the
//               partial to arrive, then comes the ticket, then the partials are read. Here it is
//               one way there and one way back.
// Limit         The mailboxes are variables of the device: one launch at a time. And the last
//               block may only wait because no other block ever waits for it.
// Source        Our own; the flag in the word is an idea of "Single-pass Parallel Prefix Scan
//               with Decoupled Look-back" (Merrill and Garland, 2016).
#include <cstring>

#include "ops.cuh"
#include "step.h"

#define WARP_SIZE 32
#define BLOCK_SIZE 256 // whole warps, at most 32 of them
#define WARPS (BLOCK_SIZE / WARP_SIZE)
#define LOADS 2 // packs that a thread has in flight
#define MAX_BLOCKS 4096

// 16 bytes, the widest load up to compute capability 9.0: for float the same as float4.
template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// Two words for each block, so that a double has room. A word is 0 where no mail is in it.
__device__ unsigned long long mailbox[MAX_BLOCKS][2];
#define FULL (1ull << 32)

// Puts `value` in the box of `block`, 4 bytes a word.
template <typename T>
__device__ void post(unsigned block, T value)
{
    unsigned part[sizeof(T) / 4];
    memcpy(part, &value, sizeof(T));
    for (unsigned w = 0; w < sizeof(T) / 4; w++) {
        atomicExch(&mailbox[block][w], FULL | part[w]);
    }
}

// Waits for mail in the box of `block` and takes it out: the box is empty for the next launch.
template <typename T>
__device__ T collect(unsigned block)
{
    T value;
    unsigned part[sizeof(T) / 4];
    unsigned long long mail[sizeof(T) / 4] = {};
    bool all = false;
    while (!all) { // asks for all words at once: one way there and back, not one for each
        all = true;
        for (unsigned w = 0; w < sizeof(T) / 4; w++) {
            mail[w] |= atomicExch(&mailbox[block][w], 0);
            part[w] = (unsigned)mail[w];
            all = all && mail[w] != 0;
        }
    }
    memcpy(&value, part, sizeof(T));
    return value;
}

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

// Launch: BLOCK_SIZE threads a block, at most MAX_BLOCKS blocks.
template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK_SIZE) reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const Op op;
    T value = block_reduce<T, Op>(thread_reduce<T, Op>(d_in, n));

    if (threadIdx.x == 0) {
        post(blockIdx.x, value);
    }
    if (blockIdx.x < gridDim.x - 1) {
        return;
    }
    value = Op::identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK_SIZE) {
        value = op(value, collect<T>(b));
    }
    __syncthreads(); // the first call has been read to its end
    value = block_reduce<T, Op>(value);
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// One launch, no scratch. Same bits every run, as in 05.
template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    int device = 0, sms = 0, sm_threads = 0; // should the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);

    const size_t tile_bytes = (size_t)16 * BLOCK_SIZE * LOADS;
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t fit = (size_t)sms * blocks_per_sm;
    const size_t most = fit < MAX_BLOCKS ? fit : MAX_BLOCKS;
    const size_t needed = (n * sizeof(T) + tile_bytes - 1) / tile_bytes;
    size_t blocks = needed < most ? needed : most;
    blocks = blocks > 0 ? blocks : 1;
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    reduce_kernel<T, Op>
        <<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_out, n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one launch: the last block waits for the partials of the others",
    .alone = 1, // what the blocks leave for each other lies in device variables
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
