// SPDX-License-Identifier: MIT
//
// violation.cu - one wrong kernel for each thing that ends a launch: `violation NAME`. A note may
// come before the only message. main returns 0: the emulator must not let it pass.
//
// Group: simt violation
// Run: SIMT_STEPS=10000 $WORK/violation $CASE
// Exit: 1
// Count: 2 ^simt: ([^n]|no )
// Count: 1 ^simt: failed:
#include "check.h"
#include <simt/inspect.h>

enum { N = 256 };

static int *d_a, *d_b; // N integers each, all 0

typedef void (*kernel_t)(int *in, int *out, int n);

// A kernel and its launch: KERNEL(name, threads, n, shared bytes).
#define KERNEL(name, threads, ...) KERNEL_BY(name, launch(kernel, threads, ##__VA_ARGS__))
#define KERNEL_BY(name, ...)                                                                       \
    KERNEL_CASE(#name, name,                                                                       \
                ([[maybe_unused]] int *in, [[maybe_unused]] int *out, [[maybe_unused]] int n),     \
                __VA_ARGS__)

static void launch(kernel_t kernel, unsigned threads, int n = 0, size_t shared = 0)
{
    kernel<<<1, threads, shared>>>(d_a, d_b, n);
}

// Case: read_before
// Says: simt: out-of-bounds read of 4 bytes in read_before at @1
// Says: , 12 bytes before the 1024-byte allocation
KERNEL(read_before, N)
{
    out[threadIdx.x] = in[(int)threadIdx.x - 3]; // 1 read_before
}

// An unmangled name is reported as it is, and not as the type that `d` would be when demangled.
// Case: unmangled
// Says: simt: out-of-bounds write of 4 bytes in d at @1
extern "C" __global__ void d(int *out)
{
    out[N] = 1; // 1 unmangled
}
CASE(unmangled)
{
    d<<<1, 1>>>(d_b);
}

// Case: constant_written
// Says: simt: forbidden write of 4 bytes in constant_written at @1
// Says: may only read __constant__ memory
__constant__ int c_table[N];
KERNEL(constant_written, 32)
{
    int *table = const_cast<int *>(c_table);
    table[threadIdx.x] = 1; // 1 constant_written
    out[threadIdx.x] = c_table[threadIdx.x];
}

struct alignas(16) quad {
    float x, y, z, w;
    __device__ float second() const { return y; } // 1 by_call
};

// Case: over_aligned
// Says: simt: misaligned read of 16 bytes in over_aligned at @1
KERNEL(over_aligned, 32)
{
    const quad *q = reinterpret_cast<const quad *>(in + 1);
    out[threadIdx.x] = (int)q[threadIdx.x].x; // 1 over_aligned
}

// Case: by_call
// Matches: ^simt: misaligned read of 16 bytes in by_call at (@1|@2),
KERNEL(by_call, 32)
{
    out[threadIdx.x] = (int)((const quad *)(in + 1))[threadIdx.x].second(); // 2 by_call
}

__device__ float third(const quad &q)
{
    return q.z; // 1 by_reference
}

// Case: by_reference
// Matches: ^simt: misaligned read of 16 bytes in by_reference at (@1|@2),
KERNEL(by_reference, 32)
{
    out[threadIdx.x] = (int)third(((const quad *)(in + 1))[threadIdx.x]); // 2 by_reference
}

struct alignas(32) octet {
    float v[8];
};

// Case: wide_pack
// Matches: ^simt: misaligned read of .*octet.* at @1, .* its type is aligned to 32 bytes
KERNEL(wide_pack, 8)
{
    const octet *q = reinterpret_cast<const octet *>(in + 4);
    out[threadIdx.x] = (int)q[threadIdx.x].v[0]; // 1 wide_pack
}

// Case: null
// Says: simt: out-of-bounds read of 4 bytes in null at @1 | a null pointer
KERNEL_BY(null, kernel<<<1, N>>>(nullptr, d_b, 0))
{
    out[threadIdx.x] = in[threadIdx.x]; // 1 null
}

// Case: shared_dynamic
// Says: simt: out-of-bounds write of 4 bytes in shared_dynamic at @1 | the 252-byte shared array
KERNEL(shared_dynamic, 64, 0, 63 * sizeof(int))
{
    extern __shared__ int s_data[];
    s_data[threadIdx.x] = 1; // 1 shared_dynamic
    out[threadIdx.x] = s_data[threadIdx.x];
}

// nvcc adds the arrays of the functions that a kernel calls.
// Case: shared_of_function
// Says: simt: more shared memory than a block has in shared_of_function at @1
// Says: static arrays of it and of what it calls: 32000 bytes; by the launch: 17160 | and 17152
__device__ int neighbour(int x)
{
    __shared__ int s_part[5000];
    s_part[threadIdx.x] = x; // 1 shared_of_function
    __syncthreads();
    return s_part[threadIdx.x ^ 1];
}
KERNEL(shared_of_function, 64, 0, 17160)
{
    __shared__ int s_own[3000];
    extern __shared__ int s_given[];
    s_given[threadIdx.x] = s_own[threadIdx.x] = 1;
    out[threadIdx.x] = neighbour(s_own[threadIdx.x] + s_given[threadIdx.x]);
}

// Case: shuffle_short_block
// Says: simt: shuffle mask names absent lanes in shuffle_short_block at @1
// Says: absent 0xfffe0000, the block has 17 threads, lane 1 reads from lane 17
//
// Case: shuffle_short_warp - the first warp is full
// Run: SIMT_STEPS=10000 $WORK/violation $CASE
// Says: simt: shuffle mask names absent lanes in shuffle_short_block at @1
// Says: the block has 40 threads, lane 0 reads from lane 16
//
// Case: shuffle_short_xor
// Says: simt: shuffle mask names absent lanes in shuffle_short_xor at @1
// Says: the block has 20 threads, lane 4 reads from lane 20
KERNEL(shuffle_short_block, 17)
{
    int v = (int)threadIdx.x;
    v += __shfl_down_sync(0xffffffffu, v, 16); // 1 shuffle_short_block shuffle_short_warp
    out[threadIdx.x] = v;
}
CASE(shuffle_short_warp)
{
    launch(shuffle_short_block, 40);
}

KERNEL(shuffle_short_xor, 20)
{
    int v = (int)threadIdx.x;
    v = max(v, __shfl_xor_sync(0xffffffffu, v, 16)); // 1 shuffle_short_xor
    out[threadIdx.x] = v;
}

// Case: shuffle_branch
// Says: simt: shuffle mask names absent lanes in shuffle_branch at @1
// Says: lane 16 waits at __syncthreads
KERNEL(shuffle_branch, 32)
{
    int v = (int)threadIdx.x;
    if (v < 16)
        v += __shfl_down_sync(0xffffffffu, v, 8); // 1 shuffle_branch
    __syncthreads();
    out[threadIdx.x] = v;
}

// Case: shuffle_width
// Says: simt: shuffle of width 24 in shuffle_width at @1 | it is 1, 2, 4, 8, 16 or 32
KERNEL(shuffle_width, 32, 24)
{
    const int v = (int)threadIdx.x;
    out[v] = __shfl_down_sync(0xffffffffu, v, 1, n); // 1 shuffle_width
}

// Case: runaway
// Says: simt: step budget used up in runaway at @1
KERNEL(runaway, 32)
{
    while (*(volatile int *)out != 12345) // 1 runaway
        ;
}

// Lane 0 waits for lane 1, and lane 1 for lane 0.
// Case: waits_for_waiting
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in waits_for_waiting at @1
// Says: lane 1 of its warp waits for it in __syncwarp at @2
KERNEL(waits_for_waiting, 32)
{
    while (threadIdx.x == 0 && atomicAdd(out, 0) == 0) // 1 waits_for_waiting
        ;
    __syncwarp(); // 2 waits_for_waiting
    atomicExch(out, 1);
}

// Case: row_unsigned
// Says: out-of-bounds read of 4 bytes in row_unsigned at @1
// Matches: allocation it would be 2[45][0-9]{8}:
KERNEL(row_unsigned, 32, 50000)
{
    out[threadIdx.x] = in[n * n + threadIdx.x]; // 1 row_unsigned
}

// Case: atomic_past
// Says: simt: out-of-bounds atomic of 4 bytes in atomic_past at @1
KERNEL(atomic_past, 32)
{
    atomicAdd(out + N + threadIdx.x, 1); // 1 atomic_past
}

KERNEL(local_pointer, 32, 4)
{
    int own[4] = {0};
    int *p = own;
    for (int i = 0; i <= n; i++)
        p[i] = i; // LEFT
    out[threadIdx.x] = own[threadIdx.x % 4];
}

// Case: static_pointer
// Says: simt: out-of-bounds write of 4 bytes in static_pointer at @1
KERNEL(static_pointer, 64, 1 << 20)
{
    __shared__ int s_data[64];
    int *p = &s_data[0];
    p += n;
    p[threadIdx.x] = 1; // 1 static_pointer
    out[threadIdx.x] = s_data[threadIdx.x];
}

// Case: barrier_loop
// Says: simt: step budget used up in barrier_loop at @1
// Case: barrier_loop_seconds
// Run: SIMT_SECONDS=0.3 $WORK/violation barrier_loop
// Says: simt: note: barrier_loop has spent 0.15 s in one block, at
// Says: simt: no end after 0.3 s of one block in barrier_loop at @1
KERNEL(barrier_loop, 64)
{
    for (;;)
        __syncthreads(); // 1 barrier_loop barrier_loop_seconds
}

// Case: trapped
// Says: simt: __trap() in trapped at @1
KERNEL(trapped, 64)
{
    if (in[threadIdx.x] != 1)
        __trap(); // 1 trapped
}

// clang-format off
// Case: stack_overflow
// Says: simt: stack overflow in stack_overflow at @1
KERNEL(stack_overflow, 1, 800)
{ // 1 stack_overflow
    // clang-format on
    int local[80000]; // 320 KB
    for (int i = 0; i < n; i++)
        local[79999 - i * 100] = i;
    out[threadIdx.x] = local[79999 - threadIdx.x];
}

// ---- what the time limit stops, and what the processor-time limit ----

// Case: endless_local
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_local at @1
// Says: , block (0,0,0), thread (0,0,0)
KERNEL(endless_local, 1, 1)
{
    volatile int local[8] = {};
    while (local[n] == 0) // 1 endless_local
        ;
    *out = local[n];
}

// Its array is memory: accesses to it stop the lane.
// Case: endless_array
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_array at @1
KERNEL(endless_array, 1, 2)
{
    unsigned local[300];
    for (unsigned i = 0; i < 300; i++)
        local[i] = (unsigned)n * i;
    unsigned x = local[n];
    while ((x = x * 3u + 2u) != 1) // 1 endless_array
        ;
    *out = (int)x;
}

// Case: endless_call
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_call at @1
KERNEL(endless_call, 1, 1)
{
    float x = (float)n;
    while ((x = sinf(x)) < 2.0f) // 1 endless_call
        ;
    *out = (int)x;
}

// Case: endless_thread
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_thread at @1 | , thread (40,0,0)
KERNEL(endless_thread, 64, 1)
{
    __shared__ int s_data[64];
    s_data[threadIdx.x] = n;
    __syncthreads();
    while (threadIdx.x == 40 && n != 0) // 1 endless_thread
        n |= 1;
    __syncthreads();
    out[threadIdx.x] = s_data[threadIdx.x] + n;
}

// Case: modulo
// Says: simt: division by zero in modulo at @1 | , thread (0,0,0), a GPU continues
KERNEL(modulo, 32)
{
    out[threadIdx.x] = (int)(threadIdx.x % (unsigned)n); // 1 modulo
}

// Case: illegal
// Matches: ^simt: an illegal instruction \(SIG[A-Z]*\) in illegal at @1, .*thread \(5,0,0\)
KERNEL(illegal, 32)
{
    if (threadIdx.x == 5)
        __builtin_trap(); // 1 illegal
    *out = 1;
}

// Case: host_access
// Says: simt: write of device memory by host code at @1 | byte 20 of the 1024-byte allocation
CASE(host_access)
{
    d_b[5] = 1; // 1 host_access
}

// A function of a library has no hooks. It may begin at the boundary of 16 bytes before.
// Case: host_library
// Says: of device memory by host code at @1 | byte 32 of the 1024-byte allocation
CASE(host_library)
{
    size_t (*volatile length)(const char *) = strlen;
    length((const char *)(d_b + 8)); // 1 host_library
}

// What a harness does with a launcher: see simt/inspect.h.
// Case: endless_host
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of launch() at @1
CASE(endless_host)
{
    volatile unsigned n = 2;
    simt_watch(1);
    while (n != 0) // 1 endless_host
        ;
    simt_watch(0);
}

// Case: endless_launches
// Run: SIMT_SECONDS=0.3 $WORK/violation $CASE
// Says: simt: no end after 0.3 s of launch() at @1 | , it has launched
CASE(endless_launches)
{
    volatile int n = 1;
    simt_watch(1);
    while (n != 0)
        illegal<<<1, 1>>>(d_a, d_b, 0); // 1 endless_launches
    simt_watch(0);
}

int main(int, char **argv)
{
    int after[N];
    CHECK(cudaMalloc(&d_a, N * sizeof(int)));
    CHECK(cudaMalloc(&d_b, N * sizeof(int)));
    CHECK(cudaMemset(d_a, 0, N * sizeof(int)));
    CHECK(cudaMemset(d_b, 0, N * sizeof(int)));
    run_cases(argv[1]);
    EXPECT(cudaDeviceSynchronize() != cudaSuccess);
    EXPECT(cudaGetLastError() != cudaSuccess);
    EXPECT(cudaGetLastError() != cudaSuccess);
    EXPECT(cudaMemcpy(after, d_b, sizeof after, cudaMemcpyDeviceToHost) != cudaSuccess);
    EXPECT(cudaFree(d_a) != cudaSuccess);
    return 0;
}
