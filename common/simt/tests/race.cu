// SPDX-License-Identifier: MIT
//
// race.cu - races and reads of unwritten memory in shared memory. `race NAME` runs a wrong kernel,
// `race NAME right` the corrected one, which must be silent.
//
// Group: simt race
// Run: right=$($WORK/race $CASE right 2>&1) && [ -z "$right" ] && $WORK/race $CASE
// Exit: 1
// Count: 2 ^simt:
#include "find.h"

// Case: store_load
// Says: race on s[128] in store_load, block (0,0,0), written by thread (128,0,0) at @1,
// Says: read by thread (127,0,0) at @2, no barrier between: add __syncthreads() after
KERNEL(store_load, 1, 256)
{
    __shared__ int s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid]; // 1 store_load
    if (RIGHT)
        __syncthreads();
    d[tid] = s[255 - tid]; // 2 store_load
}

// Case: load_store
// Says: race on s[127] | written by thread (127,0,0) at @2
// Says: read by thread (128,0,0) at @1
KERNEL(load_store, 1, 256)
{
    __shared__ int s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid];
    __syncthreads();
    int v = s[255 - tid]; // 1 load_store
    if (RIGHT)
        __syncthreads();
    s[tid] = v; // 2 load_store
    d[tid] = v;
}

// Case: two_stores
// Says: race on s[0] | written by thread (0,0,0) at @1 | written by thread (32,0,0) at @1
KERNEL(two_stores, 1, 256)
{
    __shared__ int s[8];
    const unsigned tid = threadIdx.x;
    if (tid % 32 == 0)
        s[RIGHT ? tid / 32 : 0] = (int)tid; // 1 two_stores
    __syncthreads();
    if (tid == 0)
        d[0] = s[0];
}

// The barrier at the end of the loop is as necessary as the first one.
// Case: tree
// Says: race on s[ | written by thread | at @1 | read by thread (0,0,0) at @1 | no barrier
KERNEL(tree, 1, 256)
{
    __shared__ int s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid];
    __syncthreads();
    for (unsigned stride = 1; stride < 256; stride *= 2) {
        if (tid % (2 * stride) == 0)
            s[tid] += s[tid + stride]; // 1 tree
        if (RIGHT || stride < 32)
            __syncthreads();
    }
    if (tid == 0)
        d[0] = s[0];
}

// The last rounds of a tree in one warp, as they were written before Volta.
// Case: warp_tree
// Says: race on s[16] | read by thread (0,0,0) at @1
// Says: written by thread (16,0,0) at @2 | add __syncwarp()
KERNEL(warp_tree, 1, 64)
{
    __shared__ int s[64];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid];
    __syncthreads();
    if (tid >= 32)
        return;
    for (unsigned k = 16; k > 0; k /= 2) {
        const int v = s[tid] + s[tid + k]; // 1 warp_tree
        if (RIGHT)
            __syncwarp();
        s[tid] = v; // 2 warp_tree
        if (RIGHT)
            __syncwarp();
    }
    d[tid] = s[tid];
}

// No barrier at all. Some pairs are in one warp, others in two: a barrier fixes them all.
// Case: no_barrier
// Says: race on s[ | written by thread | at @1 | read by thread | at @2
// Says: no barrier between: add __syncthreads() after line
// Says: and add __syncthreads() after line
KERNEL(no_barrier, 1, 256)
{
    __shared__ int s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid]; // 1 no_barrier
    if (RIGHT)
        __syncthreads();
    for (unsigned k = 128; k > 0; k /= 2) {
        if (tid < k)
            s[tid] += s[tid + k]; // 2 no_barrier
        if (RIGHT)
            __syncthreads();
    }
    if (tid == 0)
        d[0] = s[0];
}

__device__ __noinline__ void last_rounds(volatile int *s, unsigned tid)
{
    s[tid] = s[tid] + s[tid + 32]; // 2 two_remedies
    s[tid] = s[tid] + s[tid + 16];
}

// A block barrier before the last warp's rounds, and warp barriers in them.
// Case: two_remedies
// Says: written by thread | at @1 | read by thread | at @2 | add __syncthreads() after
// Says: outside of any if, lanes of a warp do not run in lockstep
// Says: add __syncwarp()
KERNEL(two_remedies, 1, 256)
{
    __shared__ int s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid]; // 1 two_remedies
    if (RIGHT)
        __syncthreads();
    if (tid < 32 && !RIGHT)
        last_rounds(s, tid);
    d[tid] = s[tid];
}

// All threads add to one word: a barrier would not help, and is not suggested.
// Case: lost_sum
// Says: race on sum in lost_sum | written by thread | at @1 | no barrier helps
KERNEL(lost_sum, 1, 256)
{
    __shared__ int sum;
    const unsigned tid = threadIdx.x;
    if (tid == 0)
        sum = 0;
    __syncthreads();
    if (RIGHT)
        atomicAdd(&sum, d[tid] + 1);
    else
        sum += d[tid] + 1 + (int)tid; // 1 lost_sum
    __syncthreads();
    d[tid] = sum;
}

// A shuffle or a vote makes lanes wait, and says nothing about memory.
// Case: shuffle_is_no_order
// Says: written by thread | at @1 | read by thread | at @2 | add __syncwarp() after
KERNEL(shuffle_is_no_order, 1, 64)
{
    __shared__ int s[32];
    const unsigned tid = threadIdx.x;
    if (tid >= 32)
        return;
    s[tid] = d[tid]; // 1 shuffle_is_no_order
    __shfl_sync(0xffffffff, 0, 0);
    __any_sync(0xffffffff, 1);
    if (RIGHT)
        __syncwarp();
    d[tid] = s[tid ^ 1]; // 2 shuffle_is_no_order
}

// Each half of the warp synchronises alone, then reads what the other half wrote.
// Case: half_warps
// Says: race on s[31] | written by thread (31,0,0) at @1 | read by thread (0,0,0) at @2
KERNEL(half_warps, 1, 64)
{
    __shared__ int s[32];
    const unsigned tid = threadIdx.x;
    const unsigned other = RIGHT ? 15 : 31; // stays in its own half, or not
    if (tid >= 32)
        return;
    s[tid] = d[tid]; // 1 half_warps
    __syncwarp(tid < 16 ? 0xffffu : 0xffff0000u);
    d[tid] = s[tid ^ other]; // 2 half_warps
}

// Case: one_place
// Says: race on s[0] | by thread (30,0,0) at @1 | by thread (31,0,0) at @1
// Says: different values from one instruction
KERNEL(one_place, 1, 64)
{
    __shared__ int s[32];
    const unsigned tid = threadIdx.x;
    if (tid >= 32)
        return;
    s[0] = RIGHT ? 7 : (int)tid / 31; // 1 one_place
    __syncwarp();
    d[tid] = s[0];
}

// Case: atomic_load
// Says: race on sum in atomic_load, block | atomic by thread (32,0,0) at @1
// Says: read by thread (0,0,0) at @2
KERNEL(atomic_load, 1, 256)
{
    __shared__ int sum;
    const unsigned tid = threadIdx.x;
    if (tid == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, d[tid]); // 1 atomic_load
    if (RIGHT)
        __syncthreads();
    if (tid == 0)
        d[0] = sum; // 2 atomic_load
}

// Case: atomic_zero
// Says: race on sum | written by thread (0,0,0) at @1 | atomic by thread (32,0,0) at @2
KERNEL(atomic_zero, 1, 256)
{
    __shared__ int sum;
    const unsigned tid = threadIdx.x;
    if (tid == 0)
        sum = 0; // 1 atomic_zero
    if (RIGHT)
        __syncthreads();
    else
        __syncwarp();
    atomicAdd(&sum, d[tid]); // 2 atomic_zero
    __syncthreads();
    if (tid == 0)
        d[0] = sum;
}

// Neighbouring bytes are different memory, although they share a word.
// Case: bytes
// Says: race on s[254] | written by thread (254,0,0) at @1 | read by thread (255,0,0) at @2
KERNEL(bytes, 1, 256)
{
    __shared__ unsigned char s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = (unsigned char)d[tid]; // 1 bytes
    if (!RIGHT)
        __syncwarp(tid % 32 == 31 ? 0x80000000u : 0x7fffffffu);
    d[tid] = s[RIGHT || tid != 255 ? tid : tid - 1]; // 2 bytes
}

// Case: shorts
// Says: race on s[32] | written by thread (32,0,0) at @1 | read by thread (31,0,0) at @2
KERNEL(shorts, 1, 256)
{
    __shared__ short s[256];
    const unsigned tid = threadIdx.x;
    s[255 - tid] = 0; // its own word is written by two threads
    __syncthreads();
    if (tid >= 32)
        s[tid] = (short)d[tid]; // 1 shorts
    if (RIGHT)
        __syncthreads();
    if (tid == 31)
        d[0] = s[32]; // 2 shorts
    if (!RIGHT)
        __syncthreads();
}

// Case: wide_load
// Says: race on s | written by thread (32,0,0) at @1 | read by thread (8,0,0) at @2
KERNEL(wide_load, 1, 256)
{
    __shared__ __align__(16) float s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = 0;
    __syncthreads();
    if (tid >= 32)
        s[tid] = (float)d[tid]; // 1 wide_load
    if (RIGHT)
        __syncthreads();
    if (tid < 64 && (tid < 32) != RIGHT) {
        const float4 v = reinterpret_cast<float4 *>(s)[tid]; // 2 wide_load
        d[tid] = (int)(v.x + v.y + v.z + v.w);
    }
}

// Case: doubles
// Says: race on s[128] | written by thread (128,0,0) at @1 | read by thread (0,0,0) at @2
KERNEL(doubles, 1, 256)
{
    __shared__ double s[256];
    const unsigned tid = threadIdx.x;
    s[tid] = d[tid]; // 1 doubles
    if (RIGHT)
        __syncthreads();
    if (tid < 128)
        d[tid] = (int)(s[tid] + s[tid + 128]); // 2 doubles
}

// Case: dynamic
// Says: race on dynamic shared memory, 4-byte element 128 | at @1 | at @2
KERNEL(dynamic, 1, 256, 1024)
{
    extern __shared__ int s_dynamic[];
    const unsigned tid = threadIdx.x;
    s_dynamic[tid] = d[tid]; // 1 dynamic
    if (RIGHT)
        __syncthreads();
    d[tid] = s_dynamic[255 - tid]; // 2 dynamic
}

// Case: transpose
// Says: race on tile[2][0] in transpose, block (0,0,0), written by thread | at @1
// Says: read by thread | at @2
KERNEL(transpose, 1, 256)
{
    __shared__ int tile[16][17];
    const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    tile[y][x] = d[threadIdx.x]; // 1 transpose
    if (RIGHT)
        __syncthreads();
    d[threadIdx.x] = tile[x][y]; // 2 transpose
}

// Case: unwritten_dynamic
// Says: read of unwritten shared memory: dynamic shared memory, 4-byte element 255
// Says: read by thread (255,0,0) at @1
KERNEL(unwritten_dynamic, 1, 256, 1024)
{
    extern __shared__ int s_dynamic[];
    const unsigned tid = threadIdx.x;
    s_dynamic[RIGHT ? tid : tid / 2] = 1;
    __syncthreads();
    if (tid == 255)
        d[tid] = s_dynamic[tid]; // 1 unwritten_dynamic
}

// Case: unwritten_atomic
// Says: read of unwritten shared memory: sum in unwritten_atomic | at @1
KERNEL(unwritten_atomic, 1, 256)
{
    __shared__ int sum;
    if (RIGHT)
        sum = 0; // all threads store the same value
    __syncthreads();
    atomicAdd(&sum, d[threadIdx.x]); // 1 unwritten_atomic
    __syncthreads();
    d[threadIdx.x] = sum;
}
