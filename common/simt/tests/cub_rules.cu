// SPDX-License-Identifier: MIT
//
// cub_rules.cu - CUB used against its rules: `cub_rules NAME` is wrong on a GPU, `cub_rules NAME
// right` is not. Storage is used again without a barrier, or the block has another shape than the
// template says.
//
// Group: simt cub
// Run: right=$($WORK/cub_rules $CASE right 2>&1) && [ -z "$right" ] && $WORK/cub_rules $CASE
// Exit: 1
// Count: 2 ^simt:
#include <cub/cub.cuh>

#include "find.h"

enum { THREADS = 128 };

using reduce_t = cub::BlockReduce<int, THREADS>;
using scan_t = cub::BlockScan<int, THREADS>;
using load_t = cub::BlockLoad<int, THREADS, 2, cub::BLOCK_LOAD_TRANSPOSE>;
using warp_load_t = cub::BlockLoad<int, THREADS, 2, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using store_t = cub::BlockStore<int, THREADS, 2, cub::BLOCK_STORE_TRANSPOSE>;
using direct_t = cub::BlockLoad<int, THREADS, 2>;

// ---- one storage, two calls ----

// Case: reduce_twice
// Says: race on s_store[1] | read by thread (0,0,0) at @1 | written by thread (32,0,0) at @2
// Says: add __syncthreads() after line
KERNEL(reduce_twice, 1, THREADS)
{
    __shared__ typename reduce_t::TempStorage s_store;
    const int tid = (int)threadIdx.x, a = reduce_t(s_store).Sum(tid); // 1 reduce_twice
    if (RIGHT)
        __syncthreads();
    const int b = reduce_t(s_store).Reduce(tid, cub::Max()); // 2 reduce_twice
    if (tid == 0)
        d[0] = a + b;
}

// Case: reduce_in_loop
// Says: race on s_store | before it runs again
KERNEL(reduce_in_loop, 1, THREADS)
{
    __shared__ typename reduce_t::TempStorage s_store;
    for (int i = 0; i < 3; i++) {
        const int sum = reduce_t(s_store).Sum(d[i] + (int)threadIdx.x);
        if (threadIdx.x == 0)
            d[i + 8] = sum;
        if (RIGHT)
            __syncthreads();
    }
}

// Case: inclusive_twice
// Says: race on s_store | at @1 | at @2 | add __syncthreads() after line
KERNEL(inclusive_twice, 1, THREADS)
{
    __shared__ typename scan_t::TempStorage s_store;
    int a, b;
    scan_t(s_store).InclusiveSum(d[threadIdx.x], a); // 1 inclusive_twice
    if (RIGHT)
        __syncthreads();
    scan_t(s_store).InclusiveSum(a, b); // 2 inclusive_twice
    d[threadIdx.x] = b;
}

// Case: exclusive_twice
// Says: race on s_store | at @1 | at @2 | add __syncthreads() after line
KERNEL(exclusive_twice, 1, THREADS)
{
    __shared__ typename scan_t::TempStorage s_store;
    int a, b, total;
    scan_t(s_store).ExclusiveSum(d[threadIdx.x], a, total); // 1 exclusive_twice
    if (RIGHT)
        __syncthreads();
    scan_t(s_store).ExclusiveScan(a, b, total, cub::Max()); // 2 exclusive_twice
    d[threadIdx.x] = b;
}

union storage_t {
    typename load_t::TempStorage load;
    typename warp_load_t::TempStorage warp_load;
    typename direct_t::TempStorage direct;
    typename store_t::TempStorage store;
    typename reduce_t::TempStorage reduce;
};

// Case: load_then_reduce - they share their storage
// Says: race on s_store | at @1 | at @2 | add __syncthreads() after line
KERNEL(load_then_reduce, 1, THREADS)
{
    __shared__ storage_t s_store;
    int items[2];
    load_t(s_store.load).Load(d, items); // 1 load_then_reduce
    if (RIGHT)
        __syncthreads();
    const int sum = reduce_t(s_store.reduce).Sum(items); // 2 load_then_reduce
    if (threadIdx.x == 0)
        d[256] = sum;
}

// Case: load_twice - warps exchange, then the block
// Says: race on s_store | at @1 | at @2 | add __syncthreads() after line
KERNEL(load_twice, 1, THREADS)
{
    __shared__ storage_t s_store;
    int a[2], b[2];
    warp_load_t(s_store.warp_load).Load(d, a, 200, 0); // 1 load_twice
    if (RIGHT)
        __syncthreads();
    load_t(s_store.load).Load(d, b); // 2 load_twice
    d[256 + threadIdx.x] = a[0] + b[1];
}

// Case: store_twice
// Says: race on s_store | at @1 | at @2 | add __syncthreads() after line
KERNEL(store_twice, 1, THREADS)
{
    __shared__ storage_t s_store;
    int items[2] = {(int)threadIdx.x, 1};
    store_t(s_store.store).Store(d, items); // 1 store_twice
    if (RIGHT)
        __syncthreads();
    store_t(s_store.store).Store(d + 256, items, 200); // 2 store_twice
}

// A direct load needs no storage, so nothing must come between.
// Case: direct_load
// Run: $WORK/cub_rules $CASE
// Exit: 0
// Count: 0 .
KERNEL(direct_load, 1, THREADS)
{
    __shared__ storage_t s_store;
    int items[2];
    direct_t(s_store.direct).Load(d, items);
    direct_t(s_store.direct).Load(d + 256, items);
    const int sum = reduce_t(s_store.reduce).Sum(items);
    if (threadIdx.x == 0)
        d[512] = sum;
}

// ---- the block's shape ----

// Case: two_dimensions
// Says: the block has another shape than the template says in two_dimensions at @1
KERNEL(two_dimensions, 1, dim3(16, 8))
{
    using wide_t =
        cub::BlockReduce<int, RIGHT ? 16 : 128, cub::BLOCK_REDUCE_WARP_REDUCTIONS, RIGHT ? 8 : 1>;
    __shared__ typename wide_t::TempStorage s_store;
    const int sum = wide_t(s_store).Sum(1); // 1 two_dimensions
    if (threadIdx.x + threadIdx.y == 0)
        d[0] = sum;
}

// Case: larger_block
// Says: the block has another shape than the template says in larger_block at @1
KERNEL(larger_block, 1, THREADS)
{
    using half_t = cub::BlockScan<int, RIGHT ? 128 : 64>;
    __shared__ typename half_t::TempStorage s_store;
    int sum;
    half_t(s_store).InclusiveSum(1, sum); // 1 larger_block
    d[threadIdx.x] = sum;
}

// Case: smaller_block - unless the call says how many threads have a value
// Says: the block has another shape than the template says in smaller_block at @1
KERNEL(smaller_block, 1, THREADS)
{
    using large_t = cub::BlockReduce<int, 1024>;
    __shared__ typename large_t::TempStorage s_store;
    const int valid = RIGHT ? (int)blockDim.x : 1024;
    const int sum = large_t(s_store).Reduce(1, cub::Sum(), valid); // 1 smaller_block
    if (threadIdx.x == 0)
        d[0] = sum;
}

// Case: rows - each row of the block has its own sum; the numbers of its threads are threadIdx.x
// Says: race on s_store
KERNEL(rows, 1, dim3(64, 2))
{
    using row_t = cub::BlockReduce<int, 64>;
    __shared__ typename row_t::TempStorage s_store[2];
    const int value = (int)(threadIdx.x + threadIdx.y);
    const int sum = row_t(s_store[RIGHT ? threadIdx.y : 0]).Sum(value);
    if (threadIdx.x == 0)
        d[threadIdx.y + 8] = sum;
}
