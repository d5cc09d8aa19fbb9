// SPDX-License-Identifier: MIT
//
// 05 best: the fastest that we know at each size. Three ideas, and a table that picks.
//
// Idea          Small: one block, and nothing to combine. Larger: a grid that combines through
//               mailboxes (mailbox.cu). From 1 GiB on, where the GPU has it: bulk copies
//               into shared memory (bulk_copy.cu). The first two are one kernel; tuned.h
//               says how many threads, loads and blocks each size gets.
// Limit         One launch at a time, as in mailbox.
// Needs: nvcc, for the header of the bulk copies
#include <cstdint>
#include <cstring>
#include <cuda/ptx>
#include <cuda_fp16.h>

#include "ops.cuh"
#include "step.h"
#include "tuned.h"

#define WARP_SIZE 32
#define MAX_BLOCKS 4096
#define BULK_FROM ((size_t)1 << 30) // bytes
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

__device__ unsigned long long mailbox[MAX_BLOCKS][2];
#define FULL (1ull << 32)

template <typename A>
__device__ void post(unsigned block, A value)
{
    unsigned part[sizeof(A) / 4];
    memcpy(part, &value, sizeof(A));
    for (unsigned w = 0; w < sizeof(A) / 4; w++) {
        atomicExch(&mailbox[block][w], FULL | part[w]);
    }
}

template <typename A>
__device__ A collect(unsigned block)
{
    A value;
    unsigned part[sizeof(A) / 4];
    for (unsigned w = 0; w < sizeof(A) / 4; w++) {
        unsigned long long mail = 0;
        while (mail == 0) {
            mail = atomicExch(&mailbox[block][w], 0);
        }
        part[w] = (unsigned)mail;
    }
    memcpy(&value, part, sizeof(A));
    return value;
}

// ---- from threads to the block, from blocks to the result ----

// Reduces over `lanes` neighbouring lanes, a power of two; the first of them gets the result.
template <typename A, typename Op>
__device__ A lanes_reduce(A value, unsigned lanes)
{
    for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
        value = Op()(value, __shfl_down_sync(0xffffffff, value, offset));
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

    value = lanes_reduce<A, Op>(value, WARP_SIZE);
    if (threadIdx.x % WARP_SIZE == 0) {
        s_warp[threadIdx.x / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (threadIdx.x < WARP_SIZE) {
        value = s_warp[threadIdx.x % WARPS];
        value = lanes_reduce<A, Op>(value, WARPS);
    }
    return value;
}

// The values of all threads of the grid to *d_out. The last block collects.
template <typename T, typename A, typename Op, unsigned BLOCK>
__device__ void grid_reduce(A value, T *d_out)
{
    const Op op;
    value = block_reduce<A, Op, BLOCK>(value);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            post(blockIdx.x, value);
        }
        if (blockIdx.x < gridDim.x - 1) {
            return;
        }
        value = Op::identity();
        for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK) {
            value = op(value, collect<A>(b));
        }
        __syncthreads(); // the first call has been read to its end
        value = block_reduce<A, Op, BLOCK>(value);
    }
    if (threadIdx.x == 0) {
        d_out[0] = value;
    }
}

// ---- the input: a head up to the first 16-byte boundary, packs, a tail ----

template <typename T>
struct parts_t {
    size_t head, packs, tail; // elements, packs, index of the tail's first element
    const pack_t<T> *d_packs;

    __device__ parts_t(const T *d_in, size_t n)
    {
        const size_t to_boundary = (16 - (size_t)d_in % 16) % 16 / sizeof(T);
        head = to_boundary < n ? to_boundary : n;
        packs = (n - head) * sizeof(T) / 16;
        tail = head + packs * (16 / sizeof(T));
        d_packs = (const pack_t<T> *)(d_in + head);
    }
};

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
    __device__ void add(const pack_t<T> &pack)
    {
        for (unsigned k = 0; k < 16 / sizeof(T); k++) {
            value[k] = Op()(value[k], (A)pack.elem[k]);
        }
    }
    // All places, and what this thread has of the head and the tail; i is its number in the grid.
    __device__ A finish(const T *d_in, size_t n, const parts_t<T> &parts, size_t i) const
    {
        A all = value[0];
        for (unsigned k = 1; k < 16 / sizeof(T); k++) {
            all = Op()(all, value[k]);
        }
        if (i < parts.head) {
            all = Op()(all, (A)d_in[i]);
        }
        if (i < n - parts.tail) {
            all = Op()(all, (A)d_in[parts.tail + i]);
        }
        return all;
    }
};

// ---- kernels ----

// Launch: BLOCK threads a block, at most MAX_BLOCKS blocks. A block takes tiles of LOADS packs a
// thread, all loads before the first addition.
template <typename T, typename A, typename Op, unsigned BLOCK, unsigned LOADS>
__global__ void __launch_bounds__(BLOCK) reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    const parts_t<T> parts(d_in, n);
    const size_t tile = (size_t)BLOCK * LOADS;
    running_t<T, A, Op> running;
    pack_t<T> pack[LOADS];

    size_t p = blockIdx.x * tile + threadIdx.x;
    for (; p + gridDim.x * tile < parts.packs; p += gridDim.x * tile) { // one more follows: whole
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = parts.d_packs[p + j * BLOCK];
        }
        for (unsigned j = 0; j < LOADS; j++) {
            running.add(pack[j]);
        }
    }
    for (unsigned j = 0; j < LOADS; j++) { // the last one may have holes
        if (p + j * BLOCK < parts.packs) {
            pack[j] = parts.d_packs[p + j * BLOCK];
        }
    }
    for (unsigned j = 0; j < LOADS; j++) {
        if (p + j * BLOCK < parts.packs) {
            running.add(pack[j]);
        }
    }
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    grid_reduce<T, A, Op, BLOCK>(running.finish(d_in, n, parts, i), d_out);
}

// Launch: BULK_BLOCK threads a block, one block an SM, STAGES * STAGE_BYTES of dynamic shared
// memory. See bulk_copy.cu.
template <typename T, typename A, typename Op>
__global__ void __launch_bounds__(BULK_BLOCK) bulk_kernel(const T *d_in, T *d_out, size_t n)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char s_stage[];
    __shared__ uint64_t s_full[STAGES]; // barriers that count the bytes that have arrived
    const unsigned tid = threadIdx.x;
    const parts_t<T> parts(d_in, n);
    const size_t share = ((parts.packs + gridDim.x - 1) / gridDim.x + 7) / 8 * 8; // of a block
    const size_t first = min(blockIdx.x * share, parts.packs);
    const size_t end = min(first + share, parts.packs);
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
    if (tid < STAGES) {
        ptx::mbarrier_init(&s_full[tid], 1);
        ptx::fence_proxy_async(ptx::space_shared); // the copies see the barrier's first state
    }
    __syncthreads();
    for (unsigned slot = 0; slot < STAGES; slot++) {
        copy(first + (size_t)slot * STAGE_PACKS, slot);
    }
    unsigned slot = 0, round = 0;
    for (size_t p = first; p < end; p += STAGE_PACKS) {
        while (!ptx::mbarrier_try_wait_parity(&s_full[slot], round % 2)) {
        }
        const pack_t<T> *s_packs = (const pack_t<T> *)(s_stage + slot * STAGE_BYTES);
        const unsigned count = (unsigned)min(end - p, (size_t)STAGE_PACKS);
        for (unsigned q = tid; q < count; q += BULK_BLOCK) {
            running.add(s_packs[q]);
        }
        __syncthreads(); // all have read this slot
        copy(p + (size_t)STAGES * STAGE_PACKS, slot);
        slot = (slot + 1) % STAGES;
        round += slot == 0;
    }
    const size_t i = (size_t)blockIdx.x * BULK_BLOCK + tid;
    grid_reduce<T, A, Op, BULK_BLOCK>(running.finish(d_in, n, parts, i), d_out);
#endif
}

// ---- the choice ----

template <typename T>
struct plan_t {
    size_t up_to; // bytes
    void (*kernel)(const T *d_in, T *d_out, size_t n);
    unsigned block, loads, blocks_per_sm;
};

// The table for the type, from tuned.h.
template <typename T, typename Op, typename A>
static const plan_t<T> *plans()
{
#define PLAN(up_to, block, loads, per_sm)                                                          \
    {up_to, reduce_kernel<T, A, Op, block, loads>, block, loads, per_sm},
    if constexpr (sizeof(T) == 8) {
        static const plan_t<T> table[] = {TUNED_F64(PLAN)};
        return table;
    } else {
        static const plan_t<T> table[] = {TUNED(PLAN)};
        return table;
    }
}

// One launch, no scratch. The order of additions depends on n, the alignment of d_in and the
// number of SMs: same bits every run.
template <typename T, typename Op, typename A = T>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    int device = 0, sms = 0, major = 0; // should the queries fail, one block does the job
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);

    const size_t bytes = n * sizeof(T);
    if (major == 9 && bytes >= BULK_FROM) {
        const auto kernel = bulk_kernel<T, A, Op>;
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             STAGES * STAGE_BYTES);
        kernel<<<sms, BULK_BLOCK, STAGES * STAGE_BYTES, stream>>>((const T *)d_in, (T *)d_out, n);
        return cudaGetLastError();
    }
    const plan_t<T> *plan = plans<T, Op, A>();
    while (bytes > plan->up_to) {
        plan++;
    }
    const size_t tile_bytes = (size_t)16 * plan->block * plan->loads;
    const size_t fit = (size_t)sms * plan->blocks_per_sm;
    const size_t most = fit < MAX_BLOCKS ? fit : MAX_BLOCKS;
    const size_t needed = (bytes + tile_bytes - 1) / tile_bytes;
    size_t blocks = needed < most ? needed : most;
    blocks = blocks > 0 ? blocks : 1;
    plan->kernel<<<(unsigned)blocks, plan->block, 0, stream>>>((const T *)d_in, (T *)d_out, n);
    return cudaGetLastError();
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
