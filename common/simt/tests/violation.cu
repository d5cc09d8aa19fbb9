// SPDX-License-Identifier: MIT
//
// violation.cu - one wrong kernel for each thing that ends a launch: `violation NAME`. run.sh wants
// status 1 and the line that is marked with the name. main returns 0: the emulator must not let it
// pass.
#include <assert.h>
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

__global__ void misaligned(const float *in, float *out)
{
    const float4 v = reinterpret_cast<const float4 *>(in + 1)[threadIdx.x]; // VIOLATION misaligned
    out[threadIdx.x] = v.x;
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

// clang-format off
__global__ void stack_overflow(int *out, unsigned n)
{ // VIOLATION stack_overflow
    // clang-format on
    int local[80000]; // 320 KB
    for (unsigned i = 0; i < n; i++)
        local[79999 - i * 100] = (int)i;
    out[threadIdx.x] = local[79999 - threadIdx.x];
}

static void host_access(int *d_data)
{
    d_data[5] = 1; // VIOLATION host_access
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
    IF(misaligned, 32, 0, (float *)d_a, (float *)d_b);
    IF(shared_dynamic, 64, 63 * sizeof(int), d_b);
    IF(shuffle_exited, 32, 0, d_b);
    IF(shuffle_branch, 32, 0, d_b);
    IF(shuffle_self, 32, 0, d_b);
    IF(barrier_branch, 64, 0, d_b);
    IF(runaway, 32, 0, d_b);
    IF(recursion, 1, 0, d_b);
    IF(atomic_past, 32, 0, d_b);
    IF(array_index, 64, 0, d_b);
    IF(static_pointer, 64, 0, d_b, 1 << 20);
    IF(barrier_loop, 64, 0);
    IF(assertion, 64, 0, d_a);
    IF(stack_overflow, 1, 0, d_b, 800);
    if (strcmp(name, "host_access") == 0)
        host_access(d_b);
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
