// SPDX-License-Identifier: MIT
//
// 05 best: the fastest that we know at each size, and a table that picks.
//
// Idea          Small: one block, and nothing to combine. Larger: a grid that combines through
//               mailboxes (mailbox.cu). From 1 GiB on, where the GPU has it: bulk copies
//               into shared memory (bulk_copy.cu). The first two are one kernel; tuned.h
//               says how many threads, loads and blocks each size gets. And the next launch of
//               the stream may begin while this one still runs, but for bulk copies: it waits
//               before it reads.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <type_traits>

#include "ops.cuh"
#include "step.h"
#include "tuned.h"

#define WARP_SIZE 32
#define BULK_FROM ((size_t)1 << 30)    // bytes
#define BULK (CUDART_VERSION >= 12060) // what cuda::ptx has of them came with CUDA 12.6
#define BULK_BLOCK 256
#define STAGES 3
#define STAGE_BYTES 65536
#define STAGE_PACKS (STAGE_BYTES / 16)

namespace ptx = cuda::ptx;

template <typename T>
struct alignas(16) pack_t {
    T elem[16 / sizeof(T)];
};

// ---- max and min of floats: one instruction, where ops.cuh needs two comparisons for NaN ----

struct max_f32 : max_op<float> {
    __device__ float operator()(float a, float b) const
    {
#if __CUDA_ARCH__ >= 800
        asm("max.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
        return a;
#else
        return max_op<float>::operator()(a, b);
#endif
    }
};

struct min_f32 : min_op<float> {
    __device__ float operator()(float a, float b) const
    {
#if __CUDA_ARCH__ >= 800
        asm("min.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
        return a;
#else
        return min_op<float>::operator()(a, b);
#endif
    }
};

// ---- mailboxes: see mailbox.cu ----

struct alignas(16) mail_t {
    uint64_t value; // the bytes of an A
    uint64_t tag;   // 0: none
};

// All 16 bytes in one step.
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

template <typename A>
__device__ void post(mail_t *d_box, A value, uint64_t tag)
{
    mail_t mail = {0, tag};
    memcpy(&mail.value, &value, sizeof(A));
    store(d_box, mail);
}

template <typename A>
__device__ A collect(mail_t *d_box, uint64_t tag)
{
    A value;
    mail_t mail;
    do {
        mail = load(d_box);
    } while (mail.tag != tag);
    store(d_box, {0, 0});
    memcpy(&value, &mail.value, sizeof(A));
    return value;
}

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

// One running value for each place in a pack: additions that do not wait for each other.
template <typename T, typename A, typename Op>
struct running_t {
    A value[16 / sizeof(T)];

    __device__ running_t()
    {
        for (A &v : value) {
            v = Op::identity();
        }
    }
    // From the first pack, which saves an addition in a row.
    __device__ explicit running_t(const pack_t<T> &pack)
    {
        for (unsigned k = 0; k < 16 / sizeof(T); k++) {
            value[k] = (A)pack.elem[k];
        }
    }
    __device__ static pack_t<T> nothing()
    {
        pack_t<T> pack;
        for (T &x : pack.elem) {
            x = (T)Op::identity();
        }
        return pack;
    }
    __device__ void add(const pack_t<T> &pack)
    {
        for (unsigned k = 0; k < 16 / sizeof(T); k++) {
            value[k] = Op()(value[k], (A)pack.elem[k]);
        }
    }
    // All places, in pairs.
    __device__ A all() const
    {
        A sum[16 / sizeof(T)];
        memcpy(sum, value, sizeof(sum));
        for (unsigned half = 8 / sizeof(T); half > 0; half /= 2) {
            for (unsigned k = 0; k < half; k++) {
                sum[k] = Op()(sum[k], sum[k + half]);
            }
        }
        return sum[0];
    }
};

// ---- from threads to the block, from blocks to the result ----

#if __CUDA_ARCH__ >= 800 // whole numbers: one instruction for a warp
static __device__ int warp_reduce(sum_op<int>, int x)
{
    return __reduce_add_sync(0xffffffff, x);
}
static __device__ int warp_reduce(max_op<int>, int x)
{
    return __reduce_max_sync(0xffffffff, x);
}
static __device__ int warp_reduce(min_op<int>, int x)
{
    return __reduce_min_sync(0xffffffff, x);
}
#endif
template <typename A, typename Op>
__device__ A warp_reduce(Op op, A value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value = op(value, __shfl_down_sync(0xffffffff, value, offset));
    }
    return value;
}

// Reduces the values of a block; thread 0 gets the result. All threads must call it. Between two
// calls there must be a barrier.
template <typename A, typename Op, unsigned BLOCK>
__device__ A block_reduce(A value)
{
    constexpr unsigned WARPS = BLOCK / WARP_SIZE; // a power of two
    __shared__ A s_warp[WARPS];
    const unsigned lane = threadIdx.x % WARP_SIZE;

    value = warp_reduce(Op(), value);
    if (lane == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    // All warps do the rest, so that none has to branch; what thread 0 gets counts.
    value = s_warp[lane % WARPS];
    for (unsigned offset = WARPS / 2; offset > 0; offset /= 2) {
        value = Op()(value, __shfl_down_sync(0xffffffff, value, offset));
    }
    return value;
}

// The values of all blocks, each in its thread 0, to *d_out. The last block collects.
template <typename T, typename A, typename Op, unsigned BLOCK>
__device__ void grid_reduce(A value, T *d_out, mail_t *d_mail, uint64_t tag)
{
    const Op op;
    if (threadIdx.x == 0) {
        post(&d_mail[blockIdx.x], value, tag);
    }
    if (blockIdx.x < gridDim.x - 1) {
        return;
    }
    value = Op::identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK) {
        value = op(value, collect<A>(&d_mail[b], tag));
    }
    __syncthreads(); // what block_reduce() left for this block's value has been read
    value = block_reduce<A, Op, BLOCK>(value);
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// ---- launches of a stream that overlap: see choice_t ----

// When all blocks have called this, the next launch may start. Only speed depends on where it is,
// because each thread calls await_last() before it reads or writes: so a launch never ends before
// the one in front of it.
static __device__ void let_next()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Waits until the launch before this one has ended and what it wrote can be read.
static __device__ void await_last()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// ---- the input: a head up to the first 16-byte boundary, packs, a tail ----

// The launcher fills it in, so that no thread has to compute it.
template <typename T>
struct parts_t {
    const pack_t<T> *d_packs;
    size_t packs;
    const T *d_head, *d_tail;
    unsigned head, tail; // elements

    parts_t(const void *d_in, size_t n)
    {
        const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
        d_head = (const T *)d_in;
        head = (unsigned)(to_boundary < n ? to_boundary : n);
        d_packs = (const pack_t<T> *)(d_head + head);
        packs = (n - head) * sizeof(T) / 16;
        d_tail = (const T *)(d_packs + packs);
        tail = (unsigned)(n - head - packs * (16 / sizeof(T)));
    }

    // What thread i of the grid has of the head and the tail.
    template <typename A, typename Op>
    __device__ A ends(unsigned i) const
    {
        const A first = i < head ? (A)d_head[i] : Op::identity();
        const A last = i < tail ? (A)d_tail[i] : Op::identity();
        return Op()(first, last);
    }
};

// ---- kernels ----

// How much of the kernel a launch needs. A short program starts sooner. ONE_TILE: for each block.
enum shape_t { ONE_BLOCK, ONE_TILE, MANY_TILES, SHAPES };

// Launch: BLOCK threads a block, any grid. d_mail: a box for each block, unless there is one block.
// A block takes tiles of LOADS packs a thread, the loads before the additions (of 8 nvcc starts 4).
// ONE_TILE lets the next launch start only when a block has reduced its values.
template <typename T, typename A, typename Op, unsigned BLOCK, unsigned LOADS, shape_t SHAPE>
__global__ void __launch_bounds__(BLOCK)
    reduce_kernel(const parts_t<T> parts, T *d_out, mail_t *d_mail, uint64_t tag)
{
    // One tile for each block: 32 bits are enough.
    using index_t = std::conditional_t<SHAPE == MANY_TILES, size_t, unsigned>;
    const index_t tile = BLOCK * LOADS, packs = (index_t)parts.packs;
    index_t p = (SHAPE == ONE_BLOCK ? 0 : blockIdx.x * tile) + threadIdx.x;
    running_t<T, A, Op> running;
    pack_t<T> pack[LOADS];

    if (SHAPE != ONE_TILE) {
        let_next();
    }
    await_last();
    if (SHAPE == MANY_TILES) {
        for (; p + gridDim.x * tile < packs; p += gridDim.x * tile) { // whole: more follows
            for (unsigned j = 0; j < LOADS; j++) {
                pack[j] = parts.d_packs[p + j * BLOCK];
            }
            for (unsigned j = 0; j < LOADS; j++) {
                running.add(pack[j]);
            }
        }
    }
    A rest = Op::identity();
    const bool whole = (blockIdx.x + 1) * tile <= packs && parts.head + parts.tail == 0;
    if (SHAPE != MANY_TILES && whole) { // nothing to compare: the shortest way to the loads
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = parts.d_packs[p + j * BLOCK];
        }
    } else {
        for (unsigned j = 0; j < LOADS; j++) { // the last one may have holes
            const bool there = p + j * BLOCK < packs;
            pack[j] = there ? parts.d_packs[p + j * BLOCK] : running.nothing();
        }
        rest = parts.template ends<A, Op>(blockIdx.x * BLOCK + threadIdx.x);
    }
    if (SHAPE == MANY_TILES) {
        running.add(pack[0]);
    } else {
        running = running_t<T, A, Op>(pack[0]);
    }
    for (unsigned j = 1; j < LOADS; j++) {
        running.add(pack[j]);
    }
    const A value = block_reduce<A, Op, BLOCK>(Op()(running.all(), rest));
    if (SHAPE == ONE_TILE) {
        let_next();
    }
    if (SHAPE != ONE_BLOCK) {
        grid_reduce<T, A, Op, BLOCK>(value, d_out, d_mail, tag);
    } else if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// Launch: BULK_BLOCK threads a block, one block an SM, STAGES * STAGE_BYTES of dynamic shared
// memory. See bulk_copy.cu.
template <typename T, typename A, typename Op>
__global__ void __launch_bounds__(BULK_BLOCK)
    bulk_kernel(const parts_t<T> parts, T *d_out, mail_t *d_mail, uint64_t tag)
{
#if __CUDA_ARCH__ >= 900 && BULK
    extern __shared__ __align__(128) unsigned char s_stage[];
    __shared__ uint64_t s_full[STAGES]; // barriers that count the bytes that have arrived
    const unsigned tid = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * STAGE_PACKS, end = parts.packs;
    const size_t stride = (size_t)gridDim.x * STAGE_PACKS; // a stage for each block, in turn
    running_t<T, A, Op> running;

    const auto copy = [&](size_t p, unsigned slot) {
        if (tid == 0 && p < end) {
            const unsigned bytes = 16 * (unsigned)min(end - p, (size_t)STAGE_PACKS);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &s_full[slot], bytes);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_stage + slot * STAGE_BYTES,
                               parts.d_packs + p, bytes, &s_full[slot]);
        }
    };
    if (tid == 0) {
        for (unsigned slot = 0; slot < STAGES; slot++) {
            ptx::mbarrier_init(&s_full[slot], 1);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster); // copies see them, too
    }
    __syncthreads(); // all barriers are set up
    for (unsigned slot = 0; slot < STAGES; slot++) {
        copy(first + slot * stride, slot);
    }
    unsigned slot = 0, round = 0;
    for (size_t p = first; p < end; p += stride) {
        while (!ptx::mbarrier_try_wait_parity(&s_full[slot], round % 2)) {
        }
        const pack_t<T> *s_packs = (const pack_t<T> *)(s_stage + slot * STAGE_BYTES);
        const unsigned count = (unsigned)min(end - p, (size_t)STAGE_PACKS);
        for (unsigned q = tid; q < count; q += BULK_BLOCK) {
            running.add(s_packs[q]);
        }
        ptx::fence_proxy_async(ptx::space_shared); // the next copy comes after these loads
        __syncthreads();                           // all have read this slot
        copy(p + STAGES * stride, slot);
        slot = (slot + 1) % STAGES;
        round += slot == 0;
    }
    const A rest = parts.template ends<A, Op>(blockIdx.x * BULK_BLOCK + tid);
    const A value = block_reduce<A, Op, BULK_BLOCK>(Op()(running.all(), rest));
    grid_reduce<T, A, Op, BULK_BLOCK>(value, d_out, d_mail, tag);
#endif
}

// ---- the choice ----

template <typename T>
using kernel_t = void (*)(const parts_t<T> parts, T *d_out, mail_t *d_mail, uint64_t tag);

template <typename T>
struct plan_t {
    size_t up_to; // bytes
    kernel_t<T> kernel[SHAPES];
    unsigned block, loads, blocks_per_sm;
};

// The table for the type, from tuned.h.
template <typename T, typename Op, typename A>
static const plan_t<T> *plans()
{
#define KERNELS(block, loads)                                                                      \
    {                                                                                              \
        reduce_kernel<T, A, Op, block, loads, ONE_BLOCK>,                                          \
            reduce_kernel<T, A, Op, block, loads, ONE_TILE>,                                       \
            reduce_kernel<T, A, Op, block, loads, MANY_TILES>                                      \
    }
#define PLAN(up_to, block, loads, per_sm) {up_to, KERNELS(block, loads), block, loads, per_sm},
    if constexpr (sizeof(T) == 8) {
        static const plan_t<T> table[] = {TUNED_F64(PLAN)};
        return table;
    } else {
        static const plan_t<T> table[] = {TUNED(PLAN)};
        return table;
    }
}

// What is launched. `early`: it may start while the launch before it in the stream still runs.
// `meets`: its blocks, even if there is one, use mailboxes. No blocks: the GPU does not answer.
template <typename T>
struct choice_t {
    kernel_t<T> kernel;
    unsigned blocks, block, shared_bytes;
    bool early, meets;
};

// For n elements, cut into parts. tuned.h was measured on one GPU. Another one may hold fewer
// blocks at once, or not the stages: it gets as many blocks as it holds, or plain loads.
template <typename T, typename Op, typename A>
static choice_t<T> choose(const parts_t<T> &parts, size_t n)
{
    int device = 0, sms = 0, major = 0, most_shared = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

    const size_t bytes = n * sizeof(T);
    const unsigned shared_bytes = STAGES * STAGE_BYTES;
    if (BULK && major >= 9 && bytes >= BULK_FROM && most_shared > (int)shared_bytes) {
        const auto kernel = bulk_kernel<T, A, Op>;
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
        return {kernel, (unsigned)sms, BULK_BLOCK, shared_bytes, false, true};
    }
    const plan_t<T> *plan = plans<T, Op, A>();
    while (bytes > plan->up_to) {
        plan++;
    }
    const bool early = major >= 9;
    const size_t tile = (size_t)plan->block * plan->loads; // packs
    const size_t tiles = (parts.packs + tile - 1) / tile;
    if (tiles <= 1) {
        return {plan->kernel[ONE_BLOCK], 1, plan->block, 0, early, false};
    }
    int held = 0; // by an SM
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, plan->kernel[MANY_TILES], plan->block, 0);
    const size_t per_sm = std::min((size_t)held, (size_t)plan->blocks_per_sm);
    const size_t most = sms * per_sm;
    if (tiles <= most) {
        return {plan->kernel[ONE_TILE], (unsigned)tiles, plan->block, 0, early, true};
    }
    return {plan->kernel[MANY_TILES], (unsigned)most, plan->block, 0, early, true};
}

template <typename T>
static cudaError_t queue(const choice_t<T> &choice, const parts_t<T> &parts, T *d_out,
                         mail_t *d_mail, cudaStream_t stream)
{
    const uint64_t tag = choice.meets ? tag_of_launch(d_mail) : 0;

    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = choice.blocks;
    config.blockDim = choice.block;
    config.dynamicSmemBytes = choice.shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = choice.early;
    return cudaLaunchKernelEx(&config, choice.kernel, parts, d_out, d_mail, tag);
}

// One launch. Scratch: a box of 16 bytes a block, unless one block has all in a tile. The order of
// additions depends on n, the alignment of d_in and the GPU: same bits every run.
template <typename T, typename Op, typename A = T>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const bool asked = d_work == NULL; // how much scratch: as much as for the most packs
    const parts_t<T> parts(asked ? NULL : d_in, n);
    const choice_t<T> choice = choose<T, Op, A>(parts, n);
    if (choice.blocks == 0) {
        return cudaErrorInvalidDevice;
    }
    if (asked) {
        *work_bytes = choice.meets ? choice.blocks * sizeof(mail_t) : 0;
        return cudaSuccess;
    }
    return queue<T>(choice, parts, (T *)d_out, (mail_t *)d_work, stream);
}

extern "C" const step_t step = {
    .summary = "the fastest at each size: one block, mailboxes, bulk copies",
    .reduce = {{launch<float, sum_op<float>>, launch<float, max_f32>, launch<float, min_f32>},
               {launch<double, sum_op<double>>, launch<double, max_op<double>>,
                launch<double, min_op<double>>},
               {launch<int, sum_op<int>>, launch<int, max_op<int>>, launch<int, min_op<int>>},
               {launch<half, sum_op<float>, float>, launch<half, max_f32, float>,
                launch<half, min_f32, float>}},
};
