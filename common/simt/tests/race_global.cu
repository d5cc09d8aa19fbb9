// SPDX-License-Identifier: MIT
//
// race_global.cu - races and reads of unwritten memory in global memory, and how blocks pass on
// results: `race_global NAME` and `race_global NAME right`, as in race.cu.
//
// Group: simt race_global
// Run: right=$($WORK/race_global $CASE right 2>&1) && [ -z "$right" ] && $WORK/race_global $CASE
// Exit: 1
// Count: 2 ^simt:
#include <cuda/atomic>

#include "find.h"

enum { BLOCKS = 8, THREADS = 64 };

// A kernel on 128 new bytes, of which the host has written the first ones.
#define KERNEL_ON_NEW(name, wrong_bytes, right_bytes)                                              \
    KERNEL_BY(name, CHECK(cudaMalloc(&d_words, 128));                                              \
              CHECK(cudaMemset(d_words, 0, right ? right_bytes : wrong_bytes));                    \
              launch(kernel, 1, 32))

// Case: neighbour
// Says: race on 4-byte element 32 of the 16384-byte allocation in neighbour,
// Says: read by thread (31,0,0) at @1 | written by thread (32,0,0) at @2 | no barrier
KERNEL(neighbour, 1, THREADS)
{
    const unsigned tid = threadIdx.x;
    const int v = d[tid + 1]; // 1 neighbour
    __syncwarp();
    if (RIGHT)
        __syncthreads();
    d[tid] = v; // 2 neighbour
}

// Case: halo_read
// Says: race on 4-byte element 63 | written by thread (63,0,0) of block (0,0,0) at @2
// Says: read by thread (0,0,0) of block (1,0,0) at @1 | blocks run in any order
KERNEL(halo_read, BLOCKS, THREADS)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    const int v = i > 0 ? d[i - 1] : 0; // 1 halo_read
    __syncthreads();
    d[RIGHT ? i + 1024 : i] = v + 1; // 2 halo_read
}

// Case: halo_write
// Says: race on 4-byte element 64 | read by thread (63,0,0) of block (0,0,0) at @1
// Says: written by thread (0,0,0) of block (1,0,0) at @2
KERNEL(halo_write, BLOCKS, THREADS)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    const int v = d[i + 1]; // 1 halo_write
    __syncthreads();
    d[RIGHT ? i + 1024 : i] = v + 1; // 2 halo_write
}

// Block 0 sets the sum to zero, but the others don't know when.
// Case: zeroed_inside
// Says: race on 4-byte element 0 | written by thread (0,0,0) of block (0,0,0) at @1
// Says: atomic by thread (0,0,0) of block (1,0,0) at @2
KERNEL(zeroed_inside, BLOCKS, THREADS)
{
    if (!RIGHT && blockIdx.x == 0 && threadIdx.x == 0)
        d[0] = 0; // 1 zeroed_inside
    __syncthreads();
    atomicAdd(d, 1); // 2 zeroed_inside
}

// Case: bytes
// Says: race on 1-byte element 64 | written by thread (0,0,0) of block (1,0,0) at @1
KERNEL(bytes, BLOCKS, THREADS)
{
    char *c = reinterpret_cast<char *>(d);
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    const unsigned shift = RIGHT ? 0 : blockIdx.x; // one byte too far to the left
    c[i - shift + 1] = (char)i;                    // 1 bytes
}

// Case: unwritten_half
// Says: read of unwritten global memory | 2-byte element 62 | at @1
KERNEL_ON_NEW(unwritten_half, 125, 126)
{
    const short s = reinterpret_cast<short *>(d)[2 * threadIdx.x]; // 1 unwritten_half
    if (s == 1)
        d[threadIdx.x] = 0;
}

// Case: unwritten_byte
// Says: read of unwritten global memory | 1-byte element 127 | thread (31,0,0) at @1
KERNEL_ON_NEW(unwritten_byte, 0, 0)
{
    char *c = reinterpret_cast<char *>(d) + 4 * threadIdx.x;
    for (int i = 0; i < 4; i++)
        if (RIGHT || threadIdx.x != 31 || i != 3)
            c[i] = 1;
    d[threadIdx.x] = c[0] + c[3]; // 1 unwritten_byte
}

struct padded {
    float value;
    char flag; // three bytes after it are in no buffer
};

// Padding that stores skip is not an error.
// Case: padding
// Run: $WORK/race_global $CASE right
// Exit: 0
// Count: 0 .
KERNEL_ON_NEW(padding, 0, 0)
{
    if (threadIdx.x >= 8)
        return;
    padded *p = reinterpret_cast<padded *>(d) + threadIdx.x;
    p->value = 1;
    p->flag = 2;
    p[8] = *p;
}

// Nor are elements after the last one that a pack includes.
// Case: pack_tail
// Run: $WORK/race_global $CASE right
// Exit: 0
// Count: 0 .
KERNEL_ON_NEW(pack_tail, 20, 20)
{
    if (threadIdx.x >= 2)
        return;
    const float4 pack = reinterpret_cast<float4 *>(d)[threadIdx.x];
    d[16 + threadIdx.x] = (int)pack.x;
}

// A compare-and-swap loop starts with a plain read; that is no race.
// Case: compare_and_swap
// Run: $WORK/race_global $CASE right
// Exit: 0
// Count: 0 .
KERNEL(compare_and_swap, BLOCKS, THREADS)
{
    int old = *d, seen;
    do {
        seen = old;
        old = atomicCAS(d, seen, seen + 1);
    } while (old != seen);
}

// Nor are those of two words, which are both read before one is changed.
// Case: two_swaps
// Says: race on 4-byte element 0
KERNEL(two_swaps, BLOCKS, 1)
{
    reinterpret_cast<short *>(d)[64] = 1; // from here on two cells for each word
    int first = d[0], second = d[8];
    int saw_first = atomicCAS(RIGHT ? d : d + 1, first, first + 1);
    int saw_second = atomicCAS(d + 8, second, second + 1);
    for (; saw_first != first; saw_first = atomicCAS(d, first, first + 1))
        first = saw_first;
    for (; saw_second != second; saw_second = atomicCAS(d + 8, second, second + 1))
        second = saw_second;
    if (!RIGHT)
        atomicAdd(d, 1);
}

// Many threads store the same value.
// Case: same_value
// Run: $WORK/race_global $CASE right
// Exit: 0
// Count: 0 .
KERNEL(same_value, BLOCKS, THREADS)
{
    d[0] = 1;
}

// An atomic store needs no value before it.
// Case: stored_first
// Says: read of unwritten global memory | 4-byte element 0 | by thread (0,0,0) at @1
KERNEL_ON_NEW(stored_first, 0, 0)
{
    cuda::atomic_ref<int> word(d[threadIdx.x]);
    if (RIGHT)
        word.store(1, cuda::memory_order_relaxed);
    word.fetch_add(1, cuda::memory_order_relaxed); // 1 stored_first
}

// ---- the last block finishes the job: it gets the last ticket, and then reads all partials ----

enum fence { NONE, BLOCK, DEVICE, EARLY };

template <fence FENCE, bool ATOMIC = true>
__device__ void last_block(int *d)
{
    __shared__ bool s_last;
    int *partial = d + 64, *count = d + 1;
    const unsigned tid = threadIdx.x;
    if (tid == 0) {
        if (FENCE == EARLY)
            __threadfence();
        partial[blockIdx.x] = (int)blockIdx.x + 1; // 1 fence_block fence_early
        if (FENCE == DEVICE)
            __threadfence();
        if (FENCE == BLOCK)
            __threadfence_block();
        const int ticket = ATOMIC ? atomicAdd(count, 1) : (*count)++; // 1 plain_ticket
        s_last = ticket == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && tid < gridDim.x)
        d[128 + tid] = partial[tid]; // 2 fence_block fence_early
    if (s_last && tid == 0 && FENCE == DEVICE)
        *count = 0;
}

// A barrier, or a fence alone, does not make one block wait for another.
// Case: barrier_for_all
// Says: race on 4-byte element 1 | written by thread (0,0,0) of block (1,0,0) at @1
// Says: no __syncthreads() or fence makes one wait for another
// Says: end the kernel between these lines, or launch a cooperative grid and sync it
KERNEL(barrier_for_all, BLOCKS, THREADS)
{
    if (threadIdx.x == 0)
        d[blockIdx.x] = (int)blockIdx.x; // 1 barrier_for_all
    __threadfence();
    __syncthreads();
    d[1024 + blockIdx.x * THREADS + threadIdx.x] =
        d[RIGHT ? blockIdx.x : (blockIdx.x + 1) % BLOCKS];
}

// Case: fence_block
// Says: race on 4-byte element 64 | of block (0,0,0) at @1 | of block (7,0,0) at @2
KERNEL(fence_block, BLOCKS, THREADS)
{
    last_block<RIGHT ? DEVICE : BLOCK>(d);
}

// Case: fence_early
// Says: race on 4-byte element 64 | of block (0,0,0) at @1 | of block (7,0,0) at @2
KERNEL(fence_early, BLOCKS, THREADS)
{
    last_block<RIGHT ? DEVICE : EARLY>(d);
}

// Case: plain_ticket
// Says: race on 4-byte element 1 | written by thread (0,0,0) of block (0,0,0) at @1
// Says: read by thread (0,0,0) of block (1,0,0) at @1
KERNEL(plain_ticket, BLOCKS, THREADS)
{
    last_block<DEVICE, RIGHT>(d);
}

// All threads write and fence; one takes the ticket for all. Without the barrier it is too early.
// Case: ticket_for_all
// Says: race on 4-byte element 96 | of block (0,0,0) at @1 | of block (7,0,0) at @2
KERNEL(ticket_for_all, BLOCKS, THREADS)
{
    __shared__ bool s_last;
    const unsigned tid = threadIdx.x;
    d[64 + blockIdx.x * THREADS + tid] = (int)tid; // 1 ticket_for_all
    __threadfence();
    if (RIGHT)
        __syncthreads();
    if (tid == 0)
        s_last = atomicAdd(d, 1) == (int)gridDim.x - 1;
    __syncthreads();
    if (s_last)
        for (unsigned b = 0; b < gridDim.x; b++)
            d[1024 + tid] += d[64 + b * THREADS + tid]; // 2 ticket_for_all
}

// One thread fences before the barrier, which does not cover what other warps have written.
// Case: fence_of_one
// Says: race on 4-byte element 96 | thread (32,0,0) of block (0,0,0) at @1
// Says: thread (32,0,0) of block (7,0,0) at @2
//
// Case: fence_after_ticket
// Says: race on 4-byte element 64 | of block (0,0,0) at @1 | of block (7,0,0) at @2
template <bool BEFORE, bool BETWEEN, bool AFTER>
__device__ void block_ticket(int *d)
{
    __shared__ bool s_last;
    const unsigned tid = threadIdx.x;
    d[64 + blockIdx.x * THREADS + tid] = 1; // 1 fence_of_one fence_after_ticket
    if (BEFORE && tid == 0)
        __threadfence();
    __syncthreads();
    if (tid == 0) {
        if (BETWEEN)
            __threadfence();
        s_last = atomicAdd(d, 1) == (int)gridDim.x - 1;
        if (AFTER)
            __threadfence();
    }
    __syncthreads();
    if (s_last)
        for (unsigned b = 0; b < gridDim.x; b++)
            d[1024 + tid] += d[64 + b * THREADS + tid]; // 2 fence_of_one fence_after_ticket
}
KERNEL(fence_of_one, BLOCKS, THREADS)
{
    block_ticket<!RIGHT, RIGHT, false>(d);
}
KERNEL(fence_after_ticket, BLOCKS, THREADS)
{
    block_ticket<false, RIGHT, true>(d);
}

// The last warp of a block finishes the block's job in the same way.
// Case: last_warp
// Says: race on s_part | written by thread (0,0,0) at @1 | read by thread (32,0,0) at @2
KERNEL(last_warp, 1, THREADS)
{
    __shared__ int s_part[2], s_count;
    const unsigned tid = threadIdx.x, lane = tid % 32;
    if (tid == 0)
        s_count = 0;
    __syncthreads();
    if (lane == 0) {
        s_part[tid / 32] = (int)tid; // 1 last_warp
        if (RIGHT)
            __threadfence_block();
        if (atomicAdd(&s_count, 1) == 1)
            d[blockIdx.x] = s_part[0] + s_part[1]; // 2 last_warp
    }
}

// Locks. The lanes of a warp take one by turns, in the loop or after it, or by tickets.
// Case: lock_in_loop
// Says: race on 4-byte element 1 | written by thread (0,0,0) at @1 | read by thread (1,0,0) at @1
// Says: or is it under a lock? then __threadfence() before each atomic that passes it on
KERNEL(lock_in_loop, right ? BLOCKS : 1, right ? THREADS : 32)
{
    for (bool done = false; !done;)
        if (atomicCAS(d, 0, 1) == 0) {
            d[1] += 1; // 1 lock_in_loop
            if (RIGHT)
                __threadfence();
            atomicExch(d, 0);
            done = true;
        }
}

// Case: lock_before
// Says: race on 4-byte element 1 | written by thread (0,0,0) at @1 | read by thread (1,0,0) at @1
KERNEL(lock_before, right ? BLOCKS : 1, right ? THREADS : 32)
{
    while (atomicCAS(d, 0, 1) != 0)
        ;
    d[1] += 1; // 1 lock_before
    if (RIGHT)
        __threadfence();
    atomicExch(d, 0);
}

// Case: lock_of_tickets
// Says: race on 4-byte element 2 | written by thread (0,0,0) at @1 | read by thread (1,0,0) at @1
KERNEL(lock_of_tickets, right ? BLOCKS : 1, right ? THREADS : 32)
{
    const int ticket = atomicAdd(d, 1);
    do
        __nanosleep(20);
    while (atomicAdd(d + 1, 0) != ticket);
    d[2] += ticket; // 1 lock_of_tickets
    if (RIGHT)
        __threadfence();
    atomicAdd(d + 1, 1);
}

// A lane that never asks for the lock is not ordered by it.
// Case: lock_ignored
// Says: race on 4-byte element 1 | written by thread (0,0,0) at @1 | read by thread (5,0,0) at @2
KERNEL(lock_ignored, 1, 32)
{
    if (threadIdx.x != 5 || RIGHT)
        while (atomicCAS(d, 0, 1) != 0)
            ;
    if (threadIdx.x == 0)
        d[1] = 1; // 1 lock_ignored
    else if (threadIdx.x == 5)
        d[2] = d[1]; // 2 lock_ignored
    __threadfence();
    atomicExch(d, 0);
}
