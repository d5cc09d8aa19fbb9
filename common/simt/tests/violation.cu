// SPDX-License-Identifier: MIT
//
// violation.cu - one wrong kernel for each thing that ends a launch: `violation NAME`. run.sh wants
// status 1 and the line that is marked with the name. main returns 0: the emulator must not let it
// pass.
#include <assert.h>
#include <simt/inspect.h>
#include <string.h>

#include "check.h"

enum { N = 256 };

__global__ void read_past(const int *in, int *out)
{
    const unsigned i = threadIdx.x;
    out[i] = in[i + 1]; // VIOLATION read_past
}

__global__ void write_past(int *out)
{
    const unsigned i = threadIdx.x;
    if (i % 2 == 1)
        out[i + 1] = 1; // VIOLATION write_past
}

__global__ void read_before(const int *in, int *out)
{
    out[threadIdx.x] = in[(int)threadIdx.x - 3]; // VIOLATION read_before
}

// An unmangled name is reported as it is, and not as the type that `d` would be when demangled.
extern "C" __global__ void d(int *out)
{
    out[N] = 1; // VIOLATION d
}

__constant__ int c_table[N];
__global__ void constant_written(int *out)
{
    int *table = const_cast<int *>(c_table);
    table[threadIdx.x] = 1; // VIOLATION constant_written
    out[threadIdx.x] = c_table[threadIdx.x];
}

__global__ void misaligned(const float *in, float *out)
{
    const float4 v = reinterpret_cast<const float4 *>(in + 1)[threadIdx.x]; // VIOLATION misaligned
    out[threadIdx.x] = v.x;
}

struct alignas(16) quad {
    float x, y, z, w;
    __device__ float second() const { return y; } // VIOLATION by_call
};

__global__ void over_aligned(const float *in, float *out)
{
    const quad *q = reinterpret_cast<const quad *>(in + 1);
    out[threadIdx.x] = q[threadIdx.x].x; // VIOLATION over_aligned
}

__global__ void by_call(const float *in, float *out)
{
    out[threadIdx.x] = ((const quad *)(in + 1))[threadIdx.x].second(); // VIOLATION by_call
}

__device__ float third(const quad &q)
{
    return q.z; // VIOLATION by_reference
}

__global__ void by_reference(const float *in, float *out)
{
    out[threadIdx.x] = third(((const quad *)(in + 1))[threadIdx.x]); // VIOLATION by_reference
}

struct alignas(32) octet {
    float v[8];
};

__global__ void wide_pack(const float *in, float *out)
{
    const octet *q = reinterpret_cast<const octet *>(in + 4);
    out[threadIdx.x] = q[threadIdx.x].v[0]; // VIOLATION wide_pack
}

__global__ void load(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // VIOLATION host_pointer freed null
}

__global__ void shared_dynamic(int *out)
{
    extern __shared__ int s_data[];
    s_data[threadIdx.x] = 1; // VIOLATION shared_dynamic
    out[threadIdx.x] = s_data[threadIdx.x];
}

__global__ void shuffle_exited(int *out)
{
    int v = (int)threadIdx.x;
    if (v >= 16)
        return;
    v += __shfl_down_sync(0xffffffffu, v, 8); // VIOLATION shuffle_exited
    out[threadIdx.x] = v;
}

__global__ void shuffle_branch(int *out)
{
    int v = (int)threadIdx.x;
    if (v < 16)
        v += __shfl_down_sync(0xffffffffu, v, 8); // VIOLATION shuffle_branch
    __syncthreads();
    out[threadIdx.x] = v;
}

__global__ void shuffle_self(int *out)
{
    const int v = (int)threadIdx.x;
    out[v] = __shfl_sync(0xffffu, v, 0); // VIOLATION shuffle_self
}

__global__ void shuffle_width(int *out, int width)
{
    const int v = (int)threadIdx.x;
    out[v] = __shfl_down_sync(0xffffffffu, v, 1, width); // VIOLATION shuffle_width
}

__global__ void barrier_branch(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads(); // VIOLATION barrier_branch
    out[threadIdx.x] = 1;
}

__global__ void runaway(volatile int *flag)
{
    while (*flag != 12345) // VIOLATION runaway
        ;
}

__device__ int recursive(int *p, int n)
{
    return n == 0 ? 0 : recursive(p, n - 1) + p[n]; // VIOLATION recursion
}

__global__ void recursion(int *out)
{
    *out = recursive(out, N);
}

__global__ void atomic_past(int *out)
{
    atomicAdd(out + N + threadIdx.x, 1); // VIOLATION atomic_past
}

__global__ void array_index(int *out)
{
    __shared__ int s_data[64];
    __shared__ int s_more[64];
    s_more[threadIdx.x] = 0;
    s_data[threadIdx.x + 1] = 1; // VIOLATION array_index
    out[threadIdx.x] = s_data[threadIdx.x + 1] + s_more[threadIdx.x];
}

__global__ void local_pointer(int *out, int n)
{
    int own[4] = {0};
    int *p = own;
    for (int i = 0; i <= n; i++)
        p[i] = i; // VIOLATION local_pointer
    out[threadIdx.x] = own[threadIdx.x % 4];
}

__global__ void static_pointer(int *out, int offset)
{
    __shared__ int s_data[64];
    int *p = &s_data[0];
    p += offset;
    p[threadIdx.x] = 1; // VIOLATION static_pointer
    out[threadIdx.x] = s_data[threadIdx.x];
}

__global__ void barrier_loop()
{
    for (;;)
        __syncthreads(); // VIOLATION barrier_loop
}

__global__ void assertion(const int *p)
{
    assert(p[threadIdx.x] == 1); // VIOLATION assertion
}

__global__ void trapped(const int *p)
{
    if (p[threadIdx.x] != 1)
        __trap(); // VIOLATION trapped
}

// clang-format off
__global__ void stack_overflow(int *out, unsigned n)
{ // VIOLATION stack_overflow
    // clang-format on
    int local[80000]; // 320 KB
    for (unsigned i = 0; i < n; i++)
        local[79999 - i * 100] = (int)i;
    out[threadIdx.x] = local[79999 - threadIdx.x];
}

// ---- what the time limit stops, and what the processor-time limit ----

__global__ void endless_register(unsigned *out, unsigned x)
{
    while ((x = x * 3u + 2u) != 1) // VIOLATION endless_register
        ;
    *out = x;
}

__global__ void endless_local(int *out, int n)
{
    volatile int local[8] = {};
    while (local[n] == 0) // VIOLATION endless_local
        ;
    *out = local[n];
}

// Its array is memory: accesses to it stop the lane.
__global__ void endless_array(unsigned *out, unsigned n)
{
    unsigned local[300];
    for (unsigned i = 0; i < 300; i++)
        local[i] = n * i;
    unsigned x = local[n];
    while ((x = x * 3u + 2u) != 1) // VIOLATION endless_array
        ;
    *out = x;
}

__global__ void endless_call(float *out, float x)
{
    while ((x = sinf(x)) < 2.0f) // VIOLATION endless_call
        ;
    *out = x;
}

__global__ void endless_thread(int *out, int n)
{
    __shared__ int s_data[64];
    s_data[threadIdx.x] = n;
    __syncthreads();
    while (threadIdx.x == 40 && n != 0) // VIOLATION endless_thread
        n |= 1;
    __syncthreads();
    out[threadIdx.x] = s_data[threadIdx.x] + n;
}

__global__ void divide(int *out, int n)
{
    out[threadIdx.x] = 100 / (n - (int)threadIdx.x); // VIOLATION divide
}

__global__ void modulo(unsigned *out, unsigned n)
{
    out[threadIdx.x] = threadIdx.x % n; // VIOLATION modulo
}

__global__ void illegal(int *out)
{
    if (threadIdx.x == 5)
        __builtin_trap(); // VIOLATION illegal
    *out = 1;
}

static void host_access(int *d_data)
{
    d_data[5] = 1; // VIOLATION host_access
}

// A function of a library has no hooks.
static void host_library(const int *d_data)
{
    size_t (*volatile length)(const char *) = strlen;
    length((const char *)(d_data + 5)); // VIOLATION host_library
}

// What a harness does with a launcher: see simt/inspect.h.
static void endless_host(volatile unsigned n)
{
    simt_watch(1);
    while (n != 0) // VIOLATION endless_host
        ;
    simt_watch(0);
}

static void endless_launches(int *d_data, volatile int n)
{
    simt_watch(1);
    while (n != 0)
        illegal<<<1, 1>>>(d_data); // VIOLATION endless_launches
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
    IF(shuffle_exited, 32, 0, d_b);
    IF(shuffle_branch, 32, 0, d_b);
    IF(shuffle_self, 32, 0, d_b);
    IF(shuffle_width, 32, 0, d_b, 24);
    IF(barrier_branch, 64, 0, d_b);
    IF(runaway, 32, 0, d_b);
    IF(recursion, 1, 0, d_b);
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
