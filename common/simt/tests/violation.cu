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
#include <assert.h>
#include <simt/inspect.h>
#include <string.h>

#include "check.h"

enum { N = 256 };

// Case: read_past
// Says: simt: out-of-bounds read of 4 bytes in read_past at @1
// Says: , 0 bytes after the 1024-byte allocation
__global__ void read_past(const int *in, int *out)
{
    const unsigned i = threadIdx.x;
    out[i] = in[i + 1]; // 1 read_past
}

// Case: write_past
// Says: simt: out-of-bounds write of 4 bytes in write_past at @1
__global__ void write_past(int *out)
{
    const unsigned i = threadIdx.x;
    if (i % 2 == 1)
        out[i + 1] = 1; // 1 write_past
}

// Case: read_before
// Says: simt: out-of-bounds read of 4 bytes in read_before at @1
// Says: , 12 bytes before the 1024-byte allocation
__global__ void read_before(const int *in, int *out)
{
    out[threadIdx.x] = in[(int)threadIdx.x - 3]; // 1 read_before
}

// An unmangled name is reported as it is, and not as the type that `d` would be when demangled.
// Case: d
// Says: simt: out-of-bounds write of 4 bytes in d at @1
extern "C" __global__ void d(int *out)
{
    out[N] = 1; // 1 d
}

// Case: constant_written
// Says: simt: forbidden write of 4 bytes in constant_written at @1
// Says: may only read __constant__ memory
__constant__ int c_table[N];
__global__ void constant_written(int *out)
{
    int *table = const_cast<int *>(c_table);
    table[threadIdx.x] = 1; // 1 constant_written
    out[threadIdx.x] = c_table[threadIdx.x];
}

// Case: misaligned
// Says: simt: misaligned read of 16 bytes in misaligned at @1
__global__ void misaligned(const float *in, float *out)
{
    const float4 v = reinterpret_cast<const float4 *>(in + 1)[threadIdx.x]; // 1 misaligned
    out[threadIdx.x] = v.x;
}

struct alignas(16) quad {
    float x, y, z, w;
    __device__ float second() const { return y; } // 1 by_call
};

// Case: over_aligned
// Says: simt: misaligned read of 16 bytes in over_aligned at @1
__global__ void over_aligned(const float *in, float *out)
{
    const quad *q = reinterpret_cast<const quad *>(in + 1);
    out[threadIdx.x] = q[threadIdx.x].x; // 1 over_aligned
}

// Case: by_call
// Matches: ^simt: misaligned read of 16 bytes in by_call at (@1|@2),
__global__ void by_call(const float *in, float *out)
{
    out[threadIdx.x] = ((const quad *)(in + 1))[threadIdx.x].second(); // 2 by_call
}

__device__ float third(const quad &q)
{
    return q.z; // 1 by_reference
}

// Case: by_reference
// Matches: ^simt: misaligned read of 16 bytes in by_reference at (@1|@2),
__global__ void by_reference(const float *in, float *out)
{
    out[threadIdx.x] = third(((const quad *)(in + 1))[threadIdx.x]); // 2 by_reference
}

struct alignas(32) octet {
    float v[8];
};

// Case: wide_pack
// Matches: ^simt: misaligned read of .*octet.* at @1, .* its type is aligned to 32 bytes
__global__ void wide_pack(const float *in, float *out)
{
    const octet *q = reinterpret_cast<const octet *>(in + 4);
    out[threadIdx.x] = q[threadIdx.x].v[0]; // 1 wide_pack
}

// Case: host_pointer
// Says: simt: out-of-bounds read of 4 bytes in load at @1
// Case: freed
// Says: simt: out-of-bounds read of 4 bytes in load at @1 | that was freed
// Case: null
// Says: simt: out-of-bounds read of 4 bytes in load at @1 | a null pointer
__global__ void load(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // 1 host_pointer freed null
}

// Case: shared_dynamic
// Says: simt: out-of-bounds write of 4 bytes in shared_dynamic at @1 | the 252-byte shared array
__global__ void shared_dynamic(int *out)
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
__global__ void shared_of_function(int *out)
{
    __shared__ int s_own[3000];
    extern __shared__ int s_given[];
    s_given[threadIdx.x] = s_own[threadIdx.x] = 1;
    out[threadIdx.x] = neighbour(s_own[threadIdx.x] + s_given[threadIdx.x]);
}

// Case: shuffle_exited
// Says: simt: shuffle mask names absent lanes in shuffle_exited at @1 | lane 16 has exited
__global__ void shuffle_exited(int *out)
{
    int v = (int)threadIdx.x;
    if (v >= 16)
        return;
    v += __shfl_down_sync(0xffffffffu, v, 8); // 1 shuffle_exited
    out[threadIdx.x] = v;
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
__global__ void shuffle_short_block(int *out)
{
    int v = (int)threadIdx.x;
    v += __shfl_down_sync(0xffffffffu, v, 16); // 1 shuffle_short_block shuffle_short_warp
    out[threadIdx.x] = v;
}

__global__ void shuffle_short_xor(int *out)
{
    int v = (int)threadIdx.x;
    v = max(v, __shfl_xor_sync(0xffffffffu, v, 16)); // 1 shuffle_short_xor
    out[threadIdx.x] = v;
}

// Case: shuffle_branch
// Says: simt: shuffle mask names absent lanes in shuffle_branch at @1
// Says: lane 16 waits at __syncthreads
__global__ void shuffle_branch(int *out)
{
    int v = (int)threadIdx.x;
    if (v < 16)
        v += __shfl_down_sync(0xffffffffu, v, 8); // 1 shuffle_branch
    __syncthreads();
    out[threadIdx.x] = v;
}

// Case: shuffle_self
// Says: simt: lane 16 is not in its own mask 0x0000ffff in shuffle_self at @1
__global__ void shuffle_self(int *out)
{
    const int v = (int)threadIdx.x;
    out[v] = __shfl_sync(0xffffu, v, 0); // 1 shuffle_self
}

// Case: shuffle_width
// Says: simt: shuffle of width 24 in shuffle_width at @1 | it is 1, 2, 4, 8, 16 or 32
__global__ void shuffle_width(int *out, int width)
{
    const int v = (int)threadIdx.x;
    out[v] = __shfl_down_sync(0xffffffffu, v, 1, width); // 1 shuffle_width
}

// Case: barrier_branch
// Says: simt: barrier not reached by all threads in barrier_branch at @1
// Says: wait at another one at @2
__global__ void barrier_branch(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads(); // 1 barrier_branch
    else
        __syncthreads(); // 2 barrier_branch
    out[threadIdx.x] = 1;
}

// Case: runaway
// Says: simt: step budget used up in runaway at @1
// Case: runaway_seconds
// Run: SIMT_SECONDS=0.1 $WORK/violation runaway
// Says: simt: no end after 0.1 s of one block in runaway at @1
__global__ void runaway(volatile int *flag)
{
    while (*flag != 12345) // 1 runaway runaway_seconds
        ;
}

// Lane 0 waits for lane 1, and lane 1 for lane 0.
// Case: waits_for_waiting
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in waits_for_waiting at @1
// Says: lane 1 of its warp waits for it in __syncwarp at @2
__global__ void waits_for_waiting(int *flag)
{
    while (threadIdx.x == 0 && atomicAdd(flag, 0) == 0) // 1 waits_for_waiting
        ;
    __syncwarp(); // 2 waits_for_waiting
    atomicExch(flag, 1);
}

// Case: recursion
// Says: simt: more than 128 nested calls in recursion at @1
__device__ int recursive(int *p, int n)
{
    return n == 0 ? 0 : recursive(p, n - 1) + p[n]; // 1 recursion
}

__global__ void recursion(int *out)
{
    *out = recursive(out, N);
}

// Case: row_far
// Says: out-of-bounds read of 4 bytes in row_far at @1 | allocation it would be -1794967296:
// Says: has an int passed 2^31? compute it in size_t
// Case: row_unsigned
// Says: out-of-bounds read of 4 bytes in row_unsigned at @1
// Matches: allocation it would be 2[45][0-9]{8}:
__global__ void row_far(const int *in, int *out, int row, int columns)
{
    out[threadIdx.x] = in[row * columns + (int)threadIdx.x]; // 1 row_far
}

__global__ void row_unsigned(const int *in, int *out, int row, int columns)
{
    out[threadIdx.x] = in[row * columns + threadIdx.x]; // 1 row_unsigned
}

// Case: atomic_past
// Says: simt: out-of-bounds atomic of 4 bytes in atomic_past at @1
__global__ void atomic_past(int *out)
{
    atomicAdd(out + N + threadIdx.x, 1); // 1 atomic_past
}

// Case: array_index
// Matches: ^simt: index 64 outside of 'int *\[64\]' in array_index at @1
__global__ void array_index(int *out)
{
    __shared__ int s_data[64];
    __shared__ int s_more[64];
    s_more[threadIdx.x] = 0;
    s_data[threadIdx.x + 1] = 1; // 1 array_index
    out[threadIdx.x] = s_data[threadIdx.x + 1] + s_more[threadIdx.x];
}

__global__ void local_pointer(int *out, int n)
{
    int own[4] = {0};
    int *p = own;
    for (int i = 0; i <= n; i++)
        p[i] = i; // LEFT
    out[threadIdx.x] = own[threadIdx.x % 4];
}

// Case: static_pointer
// Says: simt: out-of-bounds write of 4 bytes in static_pointer at @1
__global__ void static_pointer(int *out, int offset)
{
    __shared__ int s_data[64];
    int *p = &s_data[0];
    p += offset;
    p[threadIdx.x] = 1; // 1 static_pointer
    out[threadIdx.x] = s_data[threadIdx.x];
}

// Case: barrier_loop
// Says: simt: step budget used up in barrier_loop at @1
// Case: barrier_loop_seconds
// Run: SIMT_SECONDS=0.3 $WORK/violation barrier_loop
// Says: simt: note: barrier_loop has spent 0.15 s in one block, at
// Says: simt: no end after 0.3 s of one block in barrier_loop at @1
__global__ void barrier_loop()
{
    for (;;)
        __syncthreads(); // 1 barrier_loop barrier_loop_seconds
}

// Case: assertion
// Says: simt: assertion failed: p[threadIdx.x] == 1 in assertion at @1
__global__ void assertion(const int *p)
{
    assert(p[threadIdx.x] == 1); // 1 assertion
}

// Case: trapped
// Says: simt: __trap() in trapped at @1
__global__ void trapped(const int *p)
{
    if (p[threadIdx.x] != 1)
        __trap(); // 1 trapped
}

// clang-format off
// Case: stack_overflow
// Says: simt: stack overflow in stack_overflow at @1
__global__ void stack_overflow(int *out, unsigned n)
{ // 1 stack_overflow
    // clang-format on
    int local[80000]; // 320 KB
    for (unsigned i = 0; i < n; i++)
        local[79999 - i * 100] = (int)i;
    out[threadIdx.x] = local[79999 - threadIdx.x];
}

// ---- what the time limit stops, and what the processor-time limit ----

// Case: endless_register
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_register at @1
__global__ void endless_register(unsigned *out, unsigned x)
{
    while ((x = x * 3u + 2u) != 1) // 1 endless_register
        ;
    *out = x;
}

// Case: endless_local
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_local at @1
// Says: , block (0,0,0), thread (0,0,0)
__global__ void endless_local(int *out, int n)
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
__global__ void endless_array(unsigned *out, unsigned n)
{
    unsigned local[300];
    for (unsigned i = 0; i < 300; i++)
        local[i] = n * i;
    unsigned x = local[n];
    while ((x = x * 3u + 2u) != 1) // 1 endless_array
        ;
    *out = x;
}

// Case: endless_call
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_call at @1
__global__ void endless_call(float *out, float x)
{
    while ((x = sinf(x)) < 2.0f) // 1 endless_call
        ;
    *out = x;
}

// Case: endless_thread
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of one block in endless_thread at @1 | , thread (40,0,0)
__global__ void endless_thread(int *out, int n)
{
    __shared__ int s_data[64];
    s_data[threadIdx.x] = n;
    __syncthreads();
    while (threadIdx.x == 40 && n != 0) // 1 endless_thread
        n |= 1;
    __syncthreads();
    out[threadIdx.x] = s_data[threadIdx.x] + n;
}

// Case: divide
// Says: simt: division by zero in divide at @1 | , thread (7,0,0), a GPU continues
__global__ void divide(int *out, int n)
{
    out[threadIdx.x] = 100 / (n - (int)threadIdx.x); // 1 divide
}

// Case: modulo
// Says: simt: division by zero in modulo at @1 | , thread (0,0,0)
__global__ void modulo(unsigned *out, unsigned n)
{
    out[threadIdx.x] = threadIdx.x % n; // 1 modulo
}

// Case: illegal
// Matches: ^simt: an illegal instruction \(SIG[A-Z]*\) in illegal at @1, .*thread \(5,0,0\)
__global__ void illegal(int *out)
{
    if (threadIdx.x == 5)
        __builtin_trap(); // 1 illegal
    *out = 1;
}

// Case: host_access
// Says: simt: write of device memory by host code at @1 | byte 20 of the 1024-byte allocation
static void host_access(int *d_data)
{
    d_data[5] = 1; // 1 host_access
}

// A function of a library has no hooks. It may begin at the boundary of 16 bytes before.
// Case: host_library
// Says: of device memory by host code at @1 | byte 32 of the 1024-byte allocation
static void host_library(const int *d_data)
{
    size_t (*volatile length)(const char *) = strlen;
    length((const char *)(d_data + 8)); // 1 host_library
}

// What a harness does with a launcher: see simt/inspect.h.
// Case: endless_host
// Run: SIMT_SECONDS=0.1 $WORK/violation $CASE
// Says: simt: no end after 0.1 s of launch() at @1
static void endless_host(volatile unsigned n)
{
    simt_watch(1);
    while (n != 0) // 1 endless_host
        ;
    simt_watch(0);
}

// Case: endless_launches
// Run: SIMT_SECONDS=0.3 $WORK/violation $CASE
// Says: simt: no end after 0.3 s of launch() at @1 | , it has launched
static void endless_launches(int *d_data, volatile int n)
{
    simt_watch(1);
    while (n != 0)
        illegal<<<1, 1>>>(d_data); // 1 endless_launches
    simt_watch(0);
}

static void launch(const char *name, int *d_a, int *d_b)
{
    static int host[N];
    int *d_freed;
    CHECK(cudaMalloc(&d_freed, N * sizeof(int)));
    CHECK(cudaFree(d_freed));
#define IF(kernel, block, shared, ...)                                                             \
    if (strcmp(name, #kernel) == 0)                                                                \
    kernel<<<1, block, shared>>>(__VA_ARGS__)
    IF(read_past, N, 0, d_a, d_b);
    IF(write_past, N, 0, d_b);
    IF(read_before, N, 0, d_a, d_b);
    IF(d, 1, 0, d_b);
    IF(constant_written, 32, 0, d_b);
    IF(misaligned, 32, 0, (float *)d_a, (float *)d_b);
    IF(over_aligned, 32, 0, (float *)d_a, (float *)d_b);
    IF(by_call, 32, 0, (float *)d_a, (float *)d_b);
    IF(by_reference, 32, 0, (float *)d_a, (float *)d_b);
    IF(wide_pack, 8, 0, (float *)d_a, (float *)d_b);
    IF(shared_dynamic, 64, 63 * sizeof(int), d_b);
    IF(shared_of_function, 64, 17160, d_b);
    IF(shuffle_exited, 32, 0, d_b);
    IF(shuffle_branch, 32, 0, d_b);
    IF(shuffle_short_block, 17, 0, d_b);
    IF(shuffle_short_xor, 20, 0, d_b);
    IF(shuffle_self, 32, 0, d_b);
    IF(shuffle_width, 32, 0, d_b, 24);
    IF(barrier_branch, 64, 0, d_b);
    IF(runaway, 32, 0, d_b);
    IF(waits_for_waiting, 32, 0, d_b);
    IF(recursion, 1, 0, d_b);
    IF(row_far, 32, 0, d_a, d_b, 50000, 50000);
    IF(row_unsigned, 32, 0, d_a, d_b, 50000, 50000);
    IF(atomic_past, 32, 0, d_b);
    IF(array_index, 64, 0, d_b);
    IF(static_pointer, 64, 0, d_b, 1 << 20);
    IF(local_pointer, 32, 0, d_b, 4);
    IF(barrier_loop, 64, 0);
    IF(assertion, 64, 0, d_a);
    IF(trapped, 64, 0, d_a);
    IF(stack_overflow, 1, 0, d_b, 800);
    IF(endless_register, 1, 0, (unsigned *)d_b, 2u);
    IF(endless_local, 1, 0, d_b, 1);
    IF(endless_array, 1, 0, (unsigned *)d_b, 2u);
    IF(endless_call, 1, 0, (float *)d_b, 1.0f);
    IF(endless_thread, 64, 0, d_b, 1);
    IF(divide, 32, 0, d_b, 7);
    IF(modulo, 32, 0, (unsigned *)d_b, 0u);
    IF(illegal, 32, 0, d_b);
    if (strcmp(name, "shuffle_short_warp") == 0)
        shuffle_short_block<<<1, 40>>>(d_b);
    if (strcmp(name, "endless_host") == 0)
        endless_host(2);
    if (strcmp(name, "endless_launches") == 0)
        endless_launches(d_b, 1);
    if (strcmp(name, "host_access") == 0)
        host_access(d_b);
    if (strcmp(name, "host_library") == 0)
        host_library(d_b);
    if (strcmp(name, "host_pointer") == 0)
        load<<<1, N>>>(host, d_b);
    if (strcmp(name, "freed") == 0)
        load<<<1, N>>>(d_freed, d_b);
    if (strcmp(name, "null") == 0)
        load<<<1, N>>>(nullptr, d_b);
}

int main(int argc, char **argv)
{
    int *d_a, *d_b, after[N];
    CHECK(cudaMalloc(&d_a, N * sizeof(int)));
    CHECK(cudaMalloc(&d_b, N * sizeof(int)));
    CHECK(cudaMemset(d_a, 0, N * sizeof(int)));
    CHECK(cudaMemset(d_b, 0, N * sizeof(int)));
    launch(argc > 1 ? argv[1] : "", d_a, d_b);
    EXPECT(cudaDeviceSynchronize() != cudaSuccess);
    EXPECT(cudaGetLastError() != cudaSuccess);
    EXPECT(cudaGetLastError() != cudaSuccess);
    EXPECT(cudaMemcpy(after, d_b, sizeof after, cudaMemcpyDeviceToHost) != cudaSuccess);
    EXPECT(cudaFree(d_a) != cudaSuccess);
    return 0;
}
