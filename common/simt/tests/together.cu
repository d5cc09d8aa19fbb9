// SPDX-License-Identifier: MIT
//
// together.cu - what goes wrong with clusters, memory barriers, bulk copies, cooperative grids and
// atomics with a scope: `together NAME` and `together NAME right`, as in race.cu.
//
// Group: simt together
// Run: right=$($WORK/together $CASE right 2>&1) && [ -z "$right" ] && $WORK/together $CASE
// Exit: 1
// Count: 2 ^simt:
#include "find.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum : unsigned { THREADS = 64, STAGE = 256, BYTES = STAGE * sizeof(int) }; // words of a stage

static void launch_cluster(kernel_t kernel)
{
    const launch_config config(2, THREADS, 2);
    (void)cudaLaunchKernelEx(&config, kernel, d_words);
}

static void launch_grid(kernel_t kernel)
{
    void *args[] = {&d_words};
    (void)cudaLaunchCooperativeKernel(kernel, 4, THREADS, args);
}

#define KERNEL_OF_CLUSTER(name) KERNEL_BY(name, launch_cluster(kernel))
#define KERNEL_OF_GRID(name) KERNEL_BY(name, launch_grid(kernel))

static __device__ void set_up(uint64_t *s_bar, unsigned count)
{
    if (threadIdx.x == 0)
        ptx::mbarrier_init(s_bar, count);
    __syncthreads();
}

static __device__ void expect(uint64_t *s_bar, unsigned bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, s_bar,
                                   bytes);
}

static __device__ void wait_for(uint64_t *s_bar, unsigned phase)
{
    while (!ptx::mbarrier_try_wait_parity(s_bar, phase)) {
    }
}

// ---- bulk copies ----

// What nearly all of them begin with, and a copy that the barrier counts.
#define STAGE_AND_BARRIER                                                                          \
    __shared__ alignas(128) int s_stage[STAGE];                                                    \
    __shared__ uint64_t s_bar;                                                                     \
    set_up(&s_bar, 1)
#define COPY_IN(d, bytes, s_bar)                                                                   \
    expect(s_bar, bytes);                                                                          \
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_stage, d, bytes, s_bar)

// Case: early_read
// Says: race on s_stage[0] in early_read, block (0,0,0) | copied by thread (0,0,0) at @1
// Says: read by thread (0,0,0) at @2 | the copy may not have arrived
KERNEL(early_read, 1, THREADS)
{
    STAGE_AND_BARRIER;
    if (threadIdx.x == 0) {
        COPY_IN(d, BYTES, &s_bar); // 1 early_read
    }
    if (RIGHT)
        wait_for(&s_bar, 0);
    const int x = s_stage[threadIdx.x]; // 2 early_read
    wait_for(&s_bar, 0);
    d[1024 + threadIdx.x] = x;
}

// The reader must be the one that waits, or there must be a barrier in between.
// Case: others_waited
// Says: race on s_stage[32] | copied by thread (0,0,0) at @1
// Says: read by thread (32,0,0) at @2 | wait for it before
KERNEL(others_waited, 1, THREADS)
{
    STAGE_AND_BARRIER;
    if (threadIdx.x == 0) {
        COPY_IN(d, BYTES, &s_bar); // 1 others_waited
    }
    if (threadIdx.x < 32)
        wait_for(&s_bar, 0);
    if (RIGHT)
        __syncthreads();
    d[1024 + threadIdx.x] = s_stage[threadIdx.x]; // 2 others_waited
}

// Case: early_refill
// Says: race on s_stage[32] | copied by thread (0,0,0) at @1
// Says: read by thread (32,0,0) at @2 | start it after all threads are past that line
KERNEL(early_refill, 1, THREADS)
{
    __shared__ alignas(128) int s_stage[STAGE];
    __shared__ uint64_t s_bar[2];
    int sum = 0;
    set_up(&s_bar[0], 1);
    set_up(&s_bar[1], 1);
    for (unsigned round = 0; round < 2; round++) {
        if (threadIdx.x == 0) {
            COPY_IN(d, BYTES, &s_bar[round]); // 1 early_refill
        }
        wait_for(&s_bar[round], 0);
        sum += s_stage[threadIdx.x]; // 2 early_refill
        if (RIGHT)
            __syncthreads();
    }
    d[1024 + threadIdx.x] = sum;
}

// Case: left_early
// Says: bulk copy that no thread has waited for in left_early at @1 | thread (0,0,0)
// Says: wait for its memory barrier
KERNEL(left_early, 1, THREADS)
{
    STAGE_AND_BARRIER;
    if (threadIdx.x == 0) {
        COPY_IN(d, BYTES, &s_bar); // 1 left_early
        if (RIGHT)
            wait_for(&s_bar, 0);
    }
}

// Case: odd_bytes
// Says: bulk copy of 24 bytes in odd_bytes at @1 | the size must be a multiple of 16
KERNEL(odd_bytes, 1, THREADS)
{
    STAGE_AND_BARRIER;
    const unsigned bytes = RIGHT ? 32 : 24;
    if (threadIdx.x == 0) {
        COPY_IN(d, bytes, &s_bar); // 1 odd_bytes
        wait_for(&s_bar, 0);
    }
}

// Case: odd_place
// Says: bulk copy of misaligned memory in odd_place at @1 | one is a multiple of 4
KERNEL(odd_place, 1, THREADS)
{
    STAGE_AND_BARRIER;
    if (threadIdx.x == 0) {
        COPY_IN(d + (RIGHT ? 4 : 1), 64, &s_bar); // 1 odd_place
        wait_for(&s_bar, 0);
    }
}

// Case: past_stage
// Says: out-of-bounds bulk copy of 2048 bytes in past_stage at @1
// Says: shared array s_stage, 1024 bytes past its end
KERNEL(past_stage, 1, THREADS)
{
    STAGE_AND_BARRIER;
    const unsigned bytes = RIGHT ? BYTES : 2 * BYTES;
    if (threadIdx.x == 0) {
        COPY_IN(d, bytes, &s_bar); // 1 past_stage
        wait_for(&s_bar, 0);
    }
}

// The source of a copy out of shared memory may be written again when it has been read.
// Case: overwritten
// Says: race on s_stage[0] | copied by thread (0,0,0) at @1
// Says: written by thread (0,0,0) at @2
KERNEL(overwritten, 1, THREADS)
{
    __shared__ alignas(128) int s_stage[STAGE];
    s_stage[threadIdx.x] = (int)threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, d, s_stage, 256); // 1 overwritten
        ptx::cp_async_bulk_commit_group();
        if (RIGHT)
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
        s_stage[0] = 0; // 2 overwritten
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
    }
}

// Case: group_copy
// Says: race on s_stage | copied by thread (0,0,0) at @1 | read by thread
KERNEL(group_copy, 1, THREADS)
{
    __shared__ int s_stage[STAGE];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s_stage, d, 4 * STAGE); // 1 group_copy
    if (RIGHT)
        cg::wait(block);
    const int x = s_stage[threadIdx.x];
    cg::wait(block);
    d[1024 + threadIdx.x] = x;
}

// Case: own_copy
// Says: race on s_stage | copied by thread | at @1 | read by thread
KERNEL(own_copy, 1, THREADS)
{
    __shared__ int s_stage[STAGE];
    __pipeline_memcpy_async(&s_stage[threadIdx.x], &d[threadIdx.x], 4); // 1 own_copy
    __pipeline_commit();
    if (RIGHT)
        __pipeline_wait_prior(0);
    __syncthreads();
    d[1024 + threadIdx.x] = s_stage[threadIdx.x ^ 1];
}

// A copy may overtake a thread's stores, unless there is a fence in between.
// Case: no_proxy_fence
// Says: race on s_stage[0] in no_proxy_fence | written by thread (0,0,0) at @1
// Says: copied by thread (0,0,0) at @2 | fence_proxy_async() before line
KERNEL(no_proxy_fence, 1, THREADS)
{
    STAGE_AND_BARRIER;
    if (threadIdx.x == 0) {
        s_stage[0] = 7; // 1 no_proxy_fence
        if (RIGHT)
            ptx::fence_proxy_async(ptx::space_shared);
        COPY_IN(d, BYTES, &s_bar); // 2 no_proxy_fence
    }
    wait_for(&s_bar, 0);
    d[1024 + threadIdx.x] = s_stage[threadIdx.x];
}

// The same out of shared memory. A barrier alone is no such fence.
// Case: copied_too_early
// Says: race on s_stage | written by thread | at @1 | copied by thread
KERNEL(copied_too_early, 1, THREADS)
{
    __shared__ alignas(128) int s_stage[STAGE];
    s_stage[threadIdx.x] = (int)threadIdx.x; // 1 copied_too_early
    if (RIGHT)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, d, s_stage, // 2 copied_too_early
                           THREADS * sizeof(int));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// ---- memory barriers ----

// Case: missing_arrival
// Says: memory barrier that never opens in missing_arrival at @1
// Says: thread (0,0,0) and 63 more wait for phase 0 of s_bar
// Says: 1 of 65 arrivals is missing
KERNEL(missing_arrival, 1, THREADS)
{
    __shared__ uint64_t s_bar;
    set_up(&s_bar, RIGHT ? THREADS : THREADS + 1);
    d[threadIdx.x] = 1;
    ptx::mbarrier_arrive(&s_bar);
    while (!ptx::mbarrier_try_wait_parity(&s_bar, 0)) { // 1 missing_arrival
    }
}

// Case: missing_bytes
// Says: memory barrier that never opens in missing_bytes at @1 | phase 0 of s_bar[1]
// Says: 1024 expected bytes have not arrived, and no copy is under way
KERNEL(missing_bytes, 1, THREADS)
{
    __shared__ alignas(128) int s_stage[STAGE];
    __shared__ uint64_t s_bar[2];
    set_up(&s_bar[1], 1);
    if (threadIdx.x == 0) {
        expect(&s_bar[1], RIGHT ? BYTES : 2 * BYTES);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_stage, d, BYTES, &s_bar[1]);
    }
    while (!ptx::mbarrier_try_wait_parity(&s_bar[1], 0)) { // 1 missing_bytes
    }
}

// Case: wrong_phase
// Says: memory barrier that never opens in wrong_phase at @1 | wait for phase 1 of s_bar
KERNEL(wrong_phase, 1, THREADS)
{
    __shared__ uint64_t s_bar;
    set_up(&s_bar, THREADS);
    d[threadIdx.x] = 1;
    ptx::mbarrier_arrive(&s_bar);
    wait_for(&s_bar, 0);
    if (RIGHT)
        ptx::mbarrier_arrive(&s_bar);
    while (!ptx::mbarrier_try_wait_parity(&s_bar, 1)) { // 1 wrong_phase
    }
}

// Case: too_many
// Says: memory barrier with more arrivals than its count in too_many at @1
KERNEL(too_many, 1, THREADS)
{
    __shared__ uint64_t s_bar;
    set_up(&s_bar, THREADS);
    d[threadIdx.x] = 1;
    ptx::mbarrier_arrive(&s_bar, RIGHT ? 1 : 3); // 1 too_many
}

// Case: not_set_up
// Says: memory barrier that is not initialized in not_set_up at @1 | let one thread
KERNEL(not_set_up, 1, THREADS)
{
    __shared__ uint64_t s_bar;
    if (RIGHT)
        set_up(&s_bar, THREADS);
    d[threadIdx.x] = 1;
    ptx::mbarrier_arrive(&s_bar); // 1 not_set_up
}

// Case: set_up_late
// Says: race on s_bar in set_up_late | written by thread (0,0,0) at @1
// Says: atomic by thread (32,0,0) at @2 | add __syncthreads()
KERNEL(set_up_late, 1, THREADS)
{
    __shared__ uint64_t s_bar;
    d[threadIdx.x] = 1;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&s_bar, THREADS); // 1 set_up_late
    if (RIGHT)
        __syncthreads();
    else
        __syncwarp();
    ptx::mbarrier_arrive(&s_bar); // 2 set_up_late
}

// A memory barrier orders what was before the arrivals and what comes after the wait.
// Case: no_wait
// Says: race on s_words[32] in no_wait | written by thread (32,0,0) | read by thread (0,0,0)
KERNEL(no_wait, 1, THREADS)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int s_words[THREADS];
    __shared__ barrier s_bar;
    if (threadIdx.x == 0)
        init(&s_bar, THREADS);
    __syncthreads();
    s_words[threadIdx.x] = (int)threadIdx.x;
    barrier::arrival_token token = s_bar.arrive();
    if (RIGHT)
        s_bar.wait(std::move(token));
    d[threadIdx.x] = s_words[(threadIdx.x + 32) % THREADS];
}

// ---- clusters ----

// Case: before_it_began
// Says: write of shared memory of a block that may not have started in
// Says: block (1,0,0), thread (0,0,0) | s_words of block (0,0,0)
KERNEL_OF_CLUSTER(before_it_began)
{
    __shared__ int s_words[4];
    const cg::cluster_group cluster = cg::this_cluster();
    if (RIGHT)
        cluster.sync();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&s_words[cluster.block_rank()], 0) = 1; // 1 before_it_began
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
        d[0] = s_words[0] + s_words[1];
}

// Case: it_has_left
// Says: read of shared memory of a block that has exited in it_has_left at @1
// Says: block (1,0,0), thread (0,0,0) | s_words of block (0,0,0)
KERNEL_OF_CLUSTER(it_has_left)
{
    __shared__ int s_words[THREADS];
    const cg::cluster_group cluster = cg::this_cluster();
    s_words[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    if (cluster.block_rank() == 1)
        d[threadIdx.x] = *cluster.map_shared_rank(&s_words[threadIdx.x], 0); // 1 it_has_left
    if (RIGHT)
        cluster.sync();
}

// In another run block 1 exits before block 0 has read.
// Case: it_may_leave
// Says: read of shared memory of a block that may have exited in it_may_leave at @1
// Says: block (0,0,0), thread | s_words of block (1,0,0)
KERNEL_OF_CLUSTER(it_may_leave)
{
    __shared__ int s_words[THREADS];
    const cg::cluster_group cluster = cg::this_cluster();
    s_words[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    if (cluster.block_rank() == 0)
        d[threadIdx.x] = *cluster.map_shared_rank(&s_words[threadIdx.x], 1); // 1 it_may_leave
    if (RIGHT)
        cluster.sync();
}

// Case: far_race
// Says: race on s_word in far_race | written by thread (0,0,0) of block (0,0,0) at @1
// Says: read by thread (0,0,0) of block (1,0,0) at @2 | a cluster barrier orders
KERNEL_OF_CLUSTER(far_race)
{
    __shared__ int s_word;
    const cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
        s_word = 5; // 1 far_race
    if (RIGHT)
        cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 1)
        d[0] = *cluster.map_shared_rank(&s_word, 0); // 2 far_race
    cluster.sync();
}

// Case: not_all_of_cluster
// Says: cluster barrier not reached by all threads in not_all_of_cluster at @1
// Says: 96 threads wait there | waits at
KERNEL_OF_CLUSTER(not_all_of_cluster)
{
    const cg::cluster_group cluster = cg::this_cluster();
    d[cluster.thread_rank()] = 1;
    if (RIGHT || cluster.block_rank() == 0 || threadIdx.x < 32)
        cluster.sync(); // 1 not_all_of_cluster
    __syncthreads();
}

// Case: past_the_cluster
// Says: cluster barrier not reached by all threads in past_the_cluster at @1
// Says: 64 threads wait there | thread (0,0,0) of block (1,0,0) has exited
KERNEL_OF_CLUSTER(past_the_cluster)
{
    const cg::cluster_group cluster = cg::this_cluster();
    d[cluster.thread_rank()] = 1;
    if (RIGHT || cluster.block_rank() == 0)
        cluster.sync(); // 1 past_the_cluster
}

// Case: far_rank
// Says: shared memory of block 2 of the cluster in far_rank at @1
// Says: block (1,0,0) | its blocks are 0 to 1
KERNEL_OF_CLUSTER(far_rank)
{
    __shared__ int s_word;
    const cg::cluster_group cluster = cg::this_cluster();
    const int next = (int)cluster.block_rank() + 1;
    if (threadIdx.x == 0)
        s_word = next;
    cluster.sync();
    const int *s_next = cluster.map_shared_rank(&s_word, RIGHT ? next % 2 : next); // 1 far_rank
    if (threadIdx.x == 0)
        d[blockIdx.x] = *s_next;
    cluster.sync();
}

// Another block's post is released at cluster scope, so a wait must acquire at that scope: the
// default is its block.
// Case: narrow_wait
// Says: race on s_word in narrow_wait | by thread (0,0,0) of block | read by thread
// Says: or a wait with sem_acquire and scope_cluster
KERNEL_OF_CLUSTER(narrow_wait)
{
    __shared__ uint64_t s_bar, s_word;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = 1 - cluster.block_rank();
    set_up(&s_bar, 1);
    if (threadIdx.x == 0)
        expect(&s_bar, 8);
    cluster.sync();
    if (threadIdx.x == 0)
        ptx::st_async(cluster.map_shared_rank(&s_word, other),
                      (uint64_t)blockIdx.x, // 1 narrow_wait
                      cluster.map_shared_rank(&s_bar, other));
    if (RIGHT)
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s_bar, 0)) {
        }
    wait_for(&s_bar, 0);
    if (threadIdx.x == 0)
        d[blockIdx.x] = (int)s_word; // 2 narrow_wait
    cluster.sync();
}

// Case: posted
// Says: memory barrier that never opens in posted at @1 | 4 expected bytes
KERNEL_OF_CLUSTER(posted)
{
    __shared__ uint64_t s_bar;
    __shared__ int s_words[2];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned me = cluster.block_rank(), other = 1 - me;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        expect(&s_bar, RIGHT ? 4 : 8);
    }
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    if (threadIdx.x == 0)
        ptx::st_async(cluster.map_shared_rank(&s_words[me], other), (int)me + 1,
                      cluster.map_shared_rank(&s_bar, other));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, // 1 posted
                                          &s_bar, 0)) {
    }
    if (threadIdx.x == 0)
        d[me] = s_words[other];
}

// ---- cooperative grids ----

// Case: not_all_of_grid
// Says: grid barrier not reached by all threads in not_all_of_grid at @1
// Says: 192 threads wait there | block (3,0,0) has exited
KERNEL_OF_GRID(not_all_of_grid)
{
    d[blockIdx.x] = 1;
    if (!RIGHT && blockIdx.x == 3)
        return;
    cg::this_grid().sync(); // 1 not_all_of_grid
}

// The other threads of a block may exit earlier: on a GPU the first one arrives for all.
// Case: first_leaves
// Says: grid barrier not reached by all threads in first_leaves at @1
// Says: 252 threads wait there | thread (0,0,0) of block (0,0,0) has exited
KERNEL_OF_GRID(first_leaves)
{
    d[blockIdx.x * THREADS + threadIdx.x] = 1;
    if (threadIdx.x == (RIGHT ? THREADS - 1 : 0))
        return;
    cg::this_grid().sync(); // 1 first_leaves
}

// Case: past_the_grid
// Says: grid barrier not reached by all threads in past_the_grid at @1
// Says: 128 threads wait there | thread (32,0,0) of block (0,0,0) has exited
KERNEL_OF_GRID(past_the_grid)
{
    if (RIGHT || threadIdx.x < 32)
        cg::this_grid().sync(); // 1 past_the_grid
    d[blockIdx.x * THREADS + threadIdx.x] = 1;
}

// Case: grid_race
// Says: race on 4-byte element | read by thread | written by thread
// Says: blocks run in any order: a grid-wide sync orders them
KERNEL_OF_GRID(grid_race)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x, n = gridDim.x * THREADS;
    d[i] = (int)i;
    if (RIGHT)
        cg::this_grid().sync();
    d[1024 + i] = d[n - 1 - i];
}

// Case: no_launch_of_grid
// Says: grid sync in a launch that is not cooperative in no_launch_of_grid at @1
KERNEL(no_launch_of_grid, 1, THREADS)
{
    d[threadIdx.x] = 1;
    if (!RIGHT)
        cg::this_grid().sync(); // 1 no_launch_of_grid
}

// ---- atomics with a scope ----

// Case: relaxed
// Says: race on 4-byte element 512 | written by thread (0,0,0) of block (0,0,0) at @1
// Says: read by thread (0,0,0) of block (1,0,0) at @2
KERNEL(relaxed, 2, THREADS)
{
    const cuda::atomic_ref<int, cuda::thread_scope_device> flag(d[0]);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        d[512] = 7; // 1 relaxed
        flag.store(1, RIGHT ? cuda::memory_order_release : cuda::memory_order_relaxed);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        d[513] = d[512]; // 2 relaxed
    }
}

// Case: small_scope
// Says: race on 4-byte element 512 | written by thread (0,0,0) of block (0,0,0) at @1
// Says: read by thread (0,0,0) of block (1,0,0) at @2
KERNEL(small_scope, 2, THREADS)
{
    constexpr cuda::thread_scope scope =
        RIGHT ? cuda::thread_scope_device : cuda::thread_scope_block;
    const cuda::atomic_ref<int, scope> flag(d[0]);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        d[512] = 7; // 1 small_scope
        flag.store(1, cuda::memory_order_release);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        d[513] = d[512]; // 2 small_scope
    }
}

// Case: small_atomic
// Says: race on 4-byte element 1023 | atomic by thread (0,0,0) of block (0,0,0) at @1
// Says: atomic by thread (0,0,0) of block (1,0,0) at @1
// Says: a block-scope atomic is not atomic to other blocks
KERNEL(small_atomic, 2, THREADS)
{
    if (threadIdx.x != 0)
        return;
    if (RIGHT)
        atomicAdd_system(&d[1023], 1);
    else
        atomicAdd_block(&d[1023], 1); // 1 small_atomic
    atomicAdd_block(&d[blockIdx.x], 1);
}

// Case: small_reference
// Says: race on 4-byte element 0 | atomic by thread (0,0,0) of block (0,0,0) at @1
// Says: a block-scope atomic is not atomic to other blocks
KERNEL(small_reference, 2, THREADS)
{
    constexpr cuda::thread_scope scope =
        RIGHT ? cuda::thread_scope_device : cuda::thread_scope_block;
    if (threadIdx.x != 0)
        return;
    __threadfence(); // orders what comes before the atomic, and does not widen it
    cuda::atomic_ref<int, scope>(d[0]).fetch_add(1); // 1 small_reference
}

// A word of 16 bytes, as a mailbox: block 0 stores it, block 1 waits for it.
struct alignas(16) mail_t {
    unsigned long long value, tag;
};
__device__ void store_mail(mail_t *box, mail_t mail)
{
    asm volatile(
        "{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(box),
        "l"(mail.value), "l"(mail.tag)
        : "memory");
}
__device__ mail_t load_mail(mail_t *box)
{
    mail_t mail;
    asm volatile("{ .reg .b128 w; ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
                 : "=l"(mail.value), "=l"(mail.tag)
                 : "l"(box)
                 : "memory");
    return mail;
}

// Case: torn_mail
// Says: race on 8-byte element 1 | atomic by thread (0,0,0) of block (0,0,0)
// Says: atomic by thread (0,0,0) of block (1,0,0) at @2
// Says: atomics of different widths are not atomic to each other
KERNEL(torn_mail, 2, 64)
{
    mail_t *box = (mail_t *)d;
    if (threadIdx.x != 0 || blockIdx.x > 1)
        return;
    if (blockIdx.x == 0)
        store_mail(box, {5, 7});
    else if (RIGHT)
        while (load_mail(box).tag != 7) {
        }
    else
        while (cuda::atomic_ref<unsigned long long>(box->tag).load() != 7) { // 2 torn_mail
        }
}

// Case: plain_mail
// Says: race on 8-byte element 1 | atomic by thread (0,0,0) of block (0,0,0)
// Says: read by thread (0,0,0) of block (1,0,0) at @2
KERNEL(plain_mail, 2, 64)
{
    mail_t *box = (mail_t *)d;
    if (threadIdx.x != 0 || blockIdx.x > 1)
        return;
    if (blockIdx.x == 0)
        store_mail(box, {5, 7});
    else if (RIGHT)
        store_mail(box, {load_mail(box).value, 0});
    else
        d[100] = (int)box->tag; // 2 plain_mail
}

// Case: mail_overwritten
// Says: race on 16-byte element 0
// Says: written by thread (0,0,0) of block (0,0,0) at @1
// Says: atomic by thread (0,0,0) of block (1,0,0)
KERNEL(mail_overwritten, 2, 64)
{
    mail_t *box = (mail_t *)d;
    if (threadIdx.x != 0 || blockIdx.x > 1)
        return;
    if (!RIGHT && blockIdx.x == 0)
        box->value = 5; // 1 mail_overwritten
    else
        store_mail(box, {5, 7});
}

// Two loads never conflict, even if one is atomic; a plain store conflicts with both.
// Case: load_and_store
// Says: race on 4-byte element 0 | atomic by thread (32,0,0) at @1
// Says: written by thread (0,0,0) at @2
KERNEL(load_and_store, 1, THREADS)
{
    if (threadIdx.x >= 32)
        d[threadIdx.x] = cuda::atomic_ref<int>(d[0]).load(); // 1 load_and_store
    else if (RIGHT)
        d[threadIdx.x + 100] = d[0];
    else if (threadIdx.x == 0)
        d[0] = 1; // 2 load_and_store
}
