// SPDX-License-Identifier: MIT
//
// host_race.cu - memory that host and device share, and a host that does not wait: `host_race NAME`
// and `host_race NAME right`, as in race.cu.
#include "find.h"

enum : unsigned { THREADS = 64 };

static int *h_words; // managed, or pinned

// FIND unfinished race on byte 20 of the 256-byte managed allocation, with host code
// FIND unfinished written at @1, by work that may still run | read by the host at @2
// FIND unfinished let the host wait before: cudaDeviceSynchronize()
KERNEL unfinished(int *p)
{
    p[threadIdx.x] = 1; // 1 unfinished
}
static void host_unfinished()
{
    if (right)
        CHECK(cudaDeviceSynchronize());
    EXPECT(h_words[5] == 1); // 2 unfinished
}

// FIND early_store race on byte 0 of the 256-byte managed allocation, with host code
// FIND early_store read at @1, by work that may still run | written by the host at @2
KERNEL early_store(int *p)
{
    atomicAdd(&p[THREADS - 1], p[threadIdx.x / 2]); // 1 early_store
}
static void host_early_store()
{
    h_words[right ? 40 : 0] = 1; // 2 early_store
}

// FIND unfinished_copy race on byte 0 of the 256-byte pinned allocation, with host code
// FIND unfinished_copy written at @1, by work that may still run | read by the host at @2
KERNEL unfinished_copy(int *d)
{
    d[threadIdx.x] = 1;
}
static void host_unfinished_copy()
{
    CHECK(cudaMemcpyAsync(h_words, d_words, 256, cudaMemcpyDefault)); // 1 unfinished_copy
    if (right)
        CHECK(cudaStreamSynchronize(nullptr));
    EXPECT(h_words[0] == 1); // 2 unfinished_copy
}

// FIND past_managed read out of bounds by host code at @1
// FIND past_managed 0 bytes after the 256-byte managed allocation
KERNEL past_managed(int *p)
{
    p[threadIdx.x] = 1;
}
static void host_past_managed()
{
    CHECK(cudaDeviceSynchronize());
    EXPECT(h_words[right ? 63 : 64] == 1); // 1 past_managed
}

// FIND freed_managed read of device memory by host code at @1
// FIND freed_managed inside the 256-byte allocation that was freed
KERNEL freed_managed(int *p)
{
    p[threadIdx.x] = 1;
}
static void host_freed_managed()
{
    CHECK(cudaDeviceSynchronize());
    if (!right)
        CHECK(cudaFree(h_words));
    EXPECT(h_words[5] == 1); // 1 freed_managed
}

// Atomics of both sides may meet, and what the stream itself calls comes after what is before it.
KERNEL allowed(int *p)
{
    atomicAdd_system(&p[threadIdx.x], 1);
}
static void host_allowed()
{
    __atomic_fetch_add(&h_words[0], 1, __ATOMIC_SEQ_CST);
    const cudaHostFn_t read = [](void *) { EXPECT(h_words[0] == 2 && h_words[1] == 1); };
    CHECK(cudaLaunchHostFunc(nullptr, read, nullptr));
}

#define RUN_WITH_HOST(kernel, allocate, p)                                                         \
    if (strcmp(wanted, #kernel) == 0) {                                                            \
        ran = true;                                                                                \
        CHECK(allocate(&h_words, 256));                                                            \
        memset(h_words, 0, 256);                                                                   \
        kernel<true><<<1, THREADS>>>(p);                                                           \
        host_##kernel();                                                                           \
    }

int main(int argc, char **argv)
{
    start(argc, argv);
    RUN_WITH_HOST(unfinished, cudaMallocManaged, h_words);
    RUN_WITH_HOST(early_store, cudaMallocManaged, h_words);
    RUN_WITH_HOST(unfinished_copy, cudaMallocHost, d_words);
    RUN_WITH_HOST(past_managed, cudaMallocManaged, h_words);
    RUN_WITH_HOST(freed_managed, cudaMallocManaged, h_words);
    RUN_WITH_HOST(allowed, cudaMallocManaged, h_words);
    return finish();
}
