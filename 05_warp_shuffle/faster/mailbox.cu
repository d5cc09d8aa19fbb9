// SPDX-License-Identifier: MIT
//
// 05 mailbox: one launch, no ticket and no fence. The last block waits for the mail of the others.
//
// Idea          A block posts its partial and a tag as one word, a scalar of 128 bits. It arrives
//               whole or not at all, so a block that sees the tag has the partial as well. The last
//               block collects the words in the order of the blocks: same bits every run.
// What was slow one_pass crosses the L2 three times in a row at its end: the fence waits for the
//               partial to arrive, then comes the ticket, then the partials are read. Here it is
//               one way there and one way back.
// Limit         The last block waits for all others. That ends because the GPU starts blocks in
//               their order and no other block waits, but CUDA does not promise the order.
// Source        Our own; the flag in the word is an idea of "Single-pass Parallel Prefix Scan
//               with Decoupled Look-back" (Merrill and Garland, 2016).
#include <cstdint>
#include <cstring>
#include <ctime>

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

// The mail of a block, in the scratch: one word. The scratch is not emptied before a launch,
// so a mail counts only if its tag is that of this launch.
struct alignas(16) mail_t {
    uint64_t value; // the bytes of a T
    uint64_t tag;   // 0: none
};

// All 16 bytes in one step, a scalar (.b128, PTX 8.3): a vector (.v2.b64) might come in two halves.
// `relaxed`: no order with other accesses is asked for, as the word itself is all that is sent.
__device__ void store(mail_t *d_box, mail_t mail)
{
    asm volatile("{ .reg .b128 word;\n\t"
                 "mov.b128 word, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], word; }" ::"l"(d_box),
                 "l"(mail.value), "l"(mail.tag)
                 : "memory");
}

__device__ mail_t load(mail_t *d_box)
{
    mail_t mail;
    asm volatile("{ .reg .b128 word;\n\t"
                 "ld.relaxed.gpu.global.b128 word, [%2];\n\t"
                 "mov.b128 {%0, %1}, word; }"
                 : "=l"(mail.value), "=l"(mail.tag)
                 : "l"(d_box)
                 : "memory");
    return mail;
}

template <typename T>
__device__ void post(mail_t *d_box, T value, uint64_t tag)
{
    mail_t mail = {0, tag};
    memcpy(&mail.value, &value, sizeof(T));
    store(d_box, mail);
}

// Waits for the mail and takes it out: a graph launches with the same tag each time it is replayed,
// and must find none.
template <typename T>
__device__ T collect(mail_t *d_box, uint64_t tag)
{
    T value;
    mail_t mail;
    do {
        mail = load(d_box);
    } while (mail.tag != tag);
    store(d_box, {0, 0});
    memcpy(&value, &mail.value, sizeof(T));
    return value;
}

// The tag of a launch: 64 bits, a hash of the time and of the place of its mail. A word that the
// scratch holds by chance, or from a launch that was broken off, has it once in 2^63 times. The
// hash is splitmix64's (Steele, Lea, Flood 2014).
static uint64_t tag_of_launch(const void *d_work)
{
    timespec now;
    timespec_get(&now, TIME_UTC);
    uint64_t bits = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    bits += (uint64_t)d_work * 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return (bits ^ bits >> 31) | 1; // not 0
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

// Launch: BLOCK_SIZE threads a block, any grid. d_mail: a box for each block, holding anything.
template <typename T, typename Op>
__global__ void __launch_bounds__(BLOCK_SIZE)
    reduce_kernel(const T *d_in, T *d_out, mail_t *d_mail, uint64_t tag, size_t n)
{
    const Op op;
    T value = block_reduce<T, Op>(thread_reduce<T, Op>(d_in, n));

    if (threadIdx.x == 0) {
        post(&d_mail[blockIdx.x], value, tag);
    }
    if (blockIdx.x < gridDim.x - 1) {
        return;
    }
    value = Op::identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK_SIZE) {
        value = op(value, collect<T>(&d_mail[b], tag));
    }
    __syncthreads(); // the first call has been read to its end
    value = block_reduce<T, Op>(value);
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// One launch. Scratch: a box of 16 bytes a block. Same bits every run, as in 05.
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
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (n * sizeof(T) + tile_bytes - 1) / tile_bytes;
    size_t blocks = needed < most ? needed : most;
    blocks = blocks > 0 ? blocks : 1;
    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(mail_t);
        return cudaSuccess;
    }
    reduce_kernel<T, Op><<<(unsigned)blocks, BLOCK_SIZE, 0, stream>>>(
        (const T *)d_in, (T *)d_out, (mail_t *)d_work, tag_of_launch(d_work), n);
    return cudaGetLastError();
}

extern "C" const step_t step = {
    .summary = "one launch: the last block waits for the partials of the others",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_op<float>>,
                launch<float, min_op<float>>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>}},
};
