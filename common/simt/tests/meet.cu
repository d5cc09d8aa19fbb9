// SPDX-License-Identifier: MIT
//
// meet.cu - more barriers, right and wrong, than calibrate/barriers.cu has: `meet right` runs the
// right ones, none of which may be reported; `meet NAME` a wrong one.
//
// Group: simt meet
// Run: $WORK/meet $CASE
// Exit: 1
// Count: 2 ^simt:
// Matches: @1([^0-9]|$)
//
// Case: right
// Exit: 0
// Count: 0 .
// Matches: ^$
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

#define FULL 0xffffffffu

static int *d_out;

// A kernel of the case `what`.
#define KERNEL(name, what)                                                                         \
    KERNEL_CASE(what, name, (int *out, [[maybe_unused]] int n), kernel<<<1, 64>>>(d_out, 48);      \
                (void)cudaDeviceSynchronize())
#define RIGHT(name) KERNEL(name, "right")
#define WRONG(name) KERNEL(name, #name)

static __device__ int me()
{
    return (int)(threadIdx.x + blockDim.x * threadIdx.y);
}

// ---- right ----

RIGHT(producer_returns)
{
    const int t = me();
    if (t < 32) {
        out[t] = 1;
        __syncthreads();
    } else {
        out[t] = 2;
        return;
    }
    out[t] += 1;
}

// The kernel is a shell around a function, from which threads return.
static __device__ __noinline__ void work(int *out, int n, int t)
{
    if (t >= n)
        return;
    out[t] = 1;
    __syncthreads();
    out[t] += 1;
}

RIGHT(shell)
{
    work(out, n, me());
}

RIGHT(twice_called)
{
    const int t = me();
    work(out, 64, t);
    work(out, 64, t);
    if (t < 4)
        out[t] = n;
}

struct functor {
    __device__ void operator()(int *out, int n) const
    {
        if (me() >= n)
            return;
        out[me()] = 1;
        __syncthreads();
        out[me()] += 1;
    }
};

RIGHT(by_functor)
{
    functor()(out, n);
}

RIGHT(by_lambda)
{
    const auto guarded = [=](int t) {
        if (t >= n)
            return;
        out[t] = 1;
    };
    guarded(me());
    __syncthreads();
    guarded(me());
}

// What a compiler would like to copy for each value of `odd`.
RIGHT(flag_around)
{
    const int t = me();
    const bool odd = t % 2 == 1;
    for (int i = 0; i < n / 16; i++) {
        if (odd)
            out[t] = 1;
        __syncthreads();
        if (odd)
            out[t] += 2;
        else
            out[t] = 5;
    }
}

RIGHT(returns_everywhere)
{
    const int t = me();
    if (t == 60)
        return;
    else
        out[t] = 1;
    __syncthreads();
    if (t == 61) {
        out[t] = 9;
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i == 2 && t == 7)
            return;
        out[t] += 1;
        __syncthreads();
        if (t == 40 + i)
            return;
        __syncthreads();
    }
    __syncthreads();
    return;
}

__device__ int ticket;

RIGHT(persistent)
{
    __shared__ int s_tile;
    for (;;) {
        if (me() == 0)
            s_tile = atomicAdd(&ticket, 16);
        __syncthreads();
        if (s_tile >= n)
            return;
        out[me()] += s_tile;
        __syncthreads();
    }
}

// Each thread goes on as long as it has its own work.
RIGHT(own_rounds)
{
    const int t = me();
    int left = t % 5, rounds = 0;
    for (;;) {
        if (left > 0) {
            out[t] = left--;
            continue;
        }
        __syncthreads();
        if (++rounds == n / 16)
            break;
        left = (t + rounds) % 3;
    }
}

RIGHT(some_rounds)
{
    for (int i = 0; i < n / 4; i++) {
        if (i % 4 == 3)
            __syncthreads();
        if (me() % 8 == i)
            out[me()] = 1;
    }
}

RIGHT(last_warp)
{
    const int t = me();
    __shared__ int s_data[64];
    s_data[t] = t;
    __syncthreads();
    if (t >= 32)
        return;
    s_data[t] += s_data[t + 32];
    __syncwarp();
    int v = s_data[t];
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_down_sync(FULL, v, k);
    if (t == 0)
        out[0] = v;
}

RIGHT(groups)
{
    const int t = me();
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (t >= n)
        return;
    out[t] = 1;
    tile.sync();
    if (t % 3 == 0) {
        const auto here = cg::coalesced_threads();
        out[t] += tile.any(1) ? 0 : (int)here.size();
        here.sync();
    } else {
        out[t] += tile.any(0);
    }
    cg::this_thread_block().sync();
    out[t] += 1;
}

// ---- wrong ----

// Case: last_return
// Says: left the kernel
WRONG(last_return)
{
    if (me() < n) {
        out[me()] = 1;
        __syncthreads(); // 1 last_return
    }
    out[me()] = 2;
    return;
}

// Case: cases
// Says: wait at another one
WRONG(cases)
{
    switch (me() % 2) {
    case 0:
        out[me()] = 1;
        __syncthreads(); // 1 cases
        break;
    default:
        __syncthreads();
        out[me()] = n;
    }
}

// Case: group_in_arms
// Says: wait at another one on that line
WRONG(group_in_arms)
{
    const auto block = cg::this_thread_block();
    // clang-format off
    if (me() < n) { out[me()] = 1; block.sync(); } else { cg::sync(block); } // 1 group_in_arms
    // clang-format on
    out[me()] += 1;
}

#define SYNC_BOTH(condition)                                                                       \
    if (condition)                                                                                 \
        __syncthreads();                                                                           \
    else                                                                                           \
        __syncthreads()

// Case: macro_in_arms
// Says: wait at another one on that line
WRONG(macro_in_arms)
{
    out[me()] = 1;
    SYNC_BOTH(me() < n); // 1 macro_in_arms
}

static __device__ __noinline__ int value_or_barrier(int *out, int n, int t)
{
    if (t >= n)
        return t;
    out[t] = 1;
    __syncthreads(); // 1 returns_a_value
    return out[t];
}

// Case: returns_a_value
// Says: left the kernel
WRONG(returns_a_value)
{
    const int v = value_or_barrier(out, n, me());
    out[me()] = v;
}

// Case: one_thread
// Says: thread (0,0,0) passed it and left the kernel
WRONG(one_thread)
{
    out[me()] = n;
    if (me() > 0)
        __syncthreads(); // 1 one_thread
}

static __device__ void add(int *out, int n, int t)
{
    if (t >= n)
        return;
    out[t] += 1;
}

// Case: returns_from_function
// Says: left the kernel
WRONG(returns_from_function)
{
    add(out, n, me());
    if (me() < n) {
        __syncthreads(); // 1 returns_from_function
        add(out, n, me());
    }
}

// Case: masks_differ
// Says: lane 1 has exited without it
WRONG(masks_differ)
{
    out[me()] = __shfl_sync(me() % 2 ? 0xaaaaaaaau : FULL, n, 0); // 1 masks_differ
}

// Case: tile_in_branch
// Says: __syncwarp mask names absent lanes
WRONG(tile_in_branch)
{
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (me() % 32 < n / 3)
        tile.sync(); // 1 tile_in_branch
    out[me()] = 1;
}

int main(int, char **argv)
{
    CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, 64 * sizeof(int)));
    run_cases(argv[1]);
    return 0;
}
