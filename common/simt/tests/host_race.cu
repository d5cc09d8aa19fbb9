// SPDX-License-Identifier: MIT
//
// host_race.cu - memory that host and device share, and a host that does not wait: `host_race NAME`
// and `host_race NAME right`, as in race.cu.
//
// Group: simt host_race
// Run: right=$($WORK/host_race $CASE right 2>&1) && [ -z "$right" ] && $WORK/host_race $CASE
// Exit: 1
// Count: 2 ^simt:
#include <cuda/atomic>

#include "find.h"

enum : unsigned { THREADS = 64 };

static int *h_words; // 256 bytes, managed or pinned
static __device__ short d_sink[8];

// A kernel on that memory, which is all 0, and what the host does then: HOST(name).
#define KERNEL_AND_HOST(name, allocate)                                                            \
    static void host_##name();                                                                     \
    KERNEL_BY(name, CHECK(allocate(&h_words, 256)); memset(h_words, 0, 256);                       \
              kernel<<<1, THREADS>>>(h_words); host_##name())
#define HOST(name) static void host_##name()

// Case: unfinished
// Says: race on byte 20 of the 256-byte managed allocation, with host code
// Says: written at @1, by work that may still be running | read by the host at @2
// Says: let the host wait first: cudaDeviceSynchronize()
KERNEL_AND_HOST(unfinished, cudaMallocManaged)
{
    d[threadIdx.x] = 1; // 1 unfinished
}
HOST(unfinished)
{
    if (right)
        CHECK(cudaDeviceSynchronize());
    EXPECT(h_words[5] == 1); // 2 unfinished
}

// Case: early_store
// Says: race on byte 0 of the 256-byte managed allocation, with host code
// Says: read at @1, by work that may still be running | written by the host at @2
KERNEL_AND_HOST(early_store, cudaMallocManaged)
{
    atomicAdd(&d[THREADS - 1], d[threadIdx.x / 2]); // 1 early_store
}
HOST(early_store)
{
    h_words[right ? 40 : 0] = 1; // 2 early_store
}

// Case: unfinished_copy
// Says: race on byte 0 of the 256-byte pinned allocation, with host code
// Says: written at @1, by work that may still be running | read by the host at @2
static void host_unfinished_copy(kernel_t kernel);
KERNEL_BY(unfinished_copy, host_unfinished_copy(kernel))
{
    d[threadIdx.x] = 1;
}
static void host_unfinished_copy(kernel_t kernel)
{
    CHECK(cudaMallocHost(&h_words, 256));
    launch(kernel, 1, THREADS);
    CHECK(cudaMemcpyAsync(h_words, d_words, 256, cudaMemcpyDefault)); // 1 unfinished_copy
    if (right)
        CHECK(cudaStreamSynchronize(nullptr));
    EXPECT(h_words[0] == 1); // 2 unfinished_copy
}

// Case: past_managed
// Says: read out of bounds by host code at @1
// Says: 0 bytes after the 256-byte managed allocation
KERNEL_AND_HOST(past_managed, cudaMallocManaged)
{
    d[threadIdx.x] = 1;
}
HOST(past_managed)
{
    CHECK(cudaDeviceSynchronize());
    EXPECT(h_words[right ? 63 : 64] == 1); // 1 past_managed
}

// Case: freed_managed
// Says: read of device memory by host code at @1
// Says: inside a 256-byte allocation that was freed
KERNEL_AND_HOST(freed_managed, cudaMallocManaged)
{
    d[threadIdx.x] = 1;
}
HOST(freed_managed)
{
    CHECK(cudaDeviceSynchronize());
    if (!right)
        CHECK(cudaFree(h_words));
    EXPECT(h_words[5] == 1); // 1 freed_managed
}

// Atomics of both sides may overlap, and what the stream itself calls comes after the work before
// it.
// Case: allowed
// Run: $WORK/host_race $CASE right
// Exit: 0
// Count: 0 .
KERNEL_AND_HOST(allowed, cudaMallocManaged)
{
    atomicAdd_system(&d[threadIdx.x], 1);
}
HOST(allowed)
{
    __atomic_fetch_add(&h_words[0], 1, __ATOMIC_SEQ_CST);
    const cudaHostFn_t read = [](void *) { EXPECT(h_words[0] == 2 && h_words[1] == 1); };
    CHECK(cudaLaunchHostFunc(nullptr, read, nullptr));
}

// Calls that wait, one by one: for the earlier work, and so for the kernel.
static __device__ int d_symbol[4];
// Case: waits
// Run: $WORK/host_race $CASE right
// Exit: 0
// Count: 0 .
KERNEL_AND_HOST(waits, cudaMallocManaged)
{
    d[threadIdx.x]++;
}
HOST(waits)
{
    int h[4] = {}, runs = 1;
    cudaEvent_t event;
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(d_words, 16, 16, 1);
    box.dstPtr = make_cudaPitchedPtr(h, 16, 16, 1);
    box.extent = make_cudaExtent(16, 1, 1);
    box.kind = cudaMemcpyDefault;
    CHECK(cudaEventCreate(&event));
#define WAITS(call)                                                                                \
    CHECK(call);                                                                                   \
    EXPECT(h_words[5] == runs++);                                                                  \
    waits<true><<<1, THREADS>>>(h_words)
    WAITS(cudaMemcpy(h, d_words, 16, cudaMemcpyDefault));
    WAITS(cudaMemcpyAsync(h, d_words, 16, cudaMemcpyDefault));
    WAITS(cudaMemcpy2DAsync(h, 16, d_words, 16, 16, 1, cudaMemcpyDefault));
    WAITS(cudaMemcpy3D(&box));
    WAITS(cudaMemcpy3DAsync(&box, nullptr));
    WAITS(cudaMemcpyToSymbol(d_symbol, h, 16));
    WAITS(cudaMemcpyFromSymbol(h, d_symbol, 16));
    WAITS(cudaMemcpyFromSymbolAsync(h, d_symbol, 16));
    WAITS(cudaStreamQuery(nullptr));
    WAITS(cudaThreadSynchronize());
    CHECK(cudaEventRecord(event));
    WAITS(cudaEventSynchronize(event));
    CHECK(cudaEventDestroy(event));
}

// A flag that the host polls, by volatile or atomic access: what the work has stored before its
// fence is visible. Plain reads in a loop don't count, and a fence for the device is not enough.
// Case: flag_unfenced
// Says: race on byte 4 of the 256-byte pinned allocation, with host code
// Says: written at @1 | read by the host at @2
// Says: or __threadfence_system() in the kernel, before it sets its flag
KERNEL_AND_HOST(flag_unfenced, cudaMallocHost)
{
    if (threadIdx.x == 0) {
        d[1] = 1; // 1 flag_unfenced
        if (RIGHT)
            __threadfence_system();
        else
            __threadfence();
        *(volatile int *)&d[40] = 1;
    }
}
HOST(flag_unfenced)
{
    while (*(volatile int *)&h_words[40] == 0)
        ;
    EXPECT(h_words[1] == 1); // 2 flag_unfenced
}

// Case: flag_plain
// Says: race on byte 160 of the 256-byte managed allocation, with host code
// Says: read by the host at @1
KERNEL_AND_HOST(flag_plain, cudaMallocManaged)
{
    if (threadIdx.x == 0) {
        d[1] = 1;
        __threadfence_system();
        atomicExch_system(&d[40], 1);
    }
}
HOST(flag_plain)
{
    int *flag = h_words + 40;
    const int seen = right ? __atomic_fetch_add(flag, 0, 5) : *flag; // 1 flag_plain
    EXPECT(seen == 1);
    EXPECT(!right || h_words[1] == 1);
}

// Case: flag_by_cuda
// Run: $WORK/host_race $CASE right
// Exit: 0
// Count: 0 .
KERNEL_AND_HOST(flag_by_cuda, cudaMallocHost)
{
    if (threadIdx.x == 0) {
        d[1] = 1;
        cuda::atomic_ref<int>(d[40]).store(1, cuda::memory_order_release);
    }
}
HOST(flag_by_cuda)
{
    while (cuda::atomic_ref<int>(h_words[40]).load(cuda::memory_order_acquire) == 0)
        ;
    EXPECT(h_words[1] == 1);
}

// The bytes between those that the work touches belong to the host.
// Case: between
// Says: race on byte 4 of the 256-byte managed allocation, with host code
// Says: read at @1, by work that may still be running | written by the host at @2
KERNEL_AND_HOST(between, cudaMallocManaged)
{
    if (threadIdx.x < 32 && threadIdx.x % (RIGHT ? 2 : 1) == 0)
        atomicAdd(&d[63], d[threadIdx.x]); // 1 between
}
HOST(between)
{
    h_words[1] = 1; // 2 between
}

// A loop of compare-and-swap begins with a plain load; the next access must be the atomic.
// Case: other_swapped
// Says: race on byte 0 of the 256-byte managed allocation, with host code
// Says: written at @1, by work that may still be running | read by the host at @2
KERNEL_AND_HOST(other_swapped, cudaMallocManaged)
{
    atomicAdd_system(d, 1); // 1 other_swapped
}
HOST(other_swapped)
{
    const int seen = h_words[0]; // 2 other_swapped
    __sync_bool_compare_and_swap(&h_words[right ? 0 : 1], seen, seen + 1);
}

// Case: counter_read - nothing follows, not even cudaFree()
// Says: race on byte 0 of the 256-byte managed allocation, with host code
// Says: written at @1, by work that may still be running | read by the host at @2
KERNEL_AND_HOST(counter_read, cudaMallocManaged)
{
    atomicAdd(d, 1); // 1 counter_read
}
HOST(counter_read)
{
    if (right)
        CHECK(cudaDeviceSynchronize());
    EXPECT(h_words[0] == THREADS); // 2 counter_read
}

// Case: store_swapped - what the work changes by a store, too
// Says: race on byte 0 of the 256-byte managed allocation, with host code
// Says: written at @1, by work that may still be running | read by the host at @2
KERNEL_AND_HOST(store_swapped, cudaMallocManaged)
{
    if (!RIGHT && threadIdx.x == 0)
        *d = 1; // 1 store_swapped
    if (RIGHT)
        atomicAdd_system(d, 1);
}
HOST(store_swapped)
{
    const int seen = h_words[0]; // 2 store_swapped
    __sync_bool_compare_and_swap(&h_words[0], seen, seen + 1);
}

// ---- memory that nobody wrote: of 256 new bytes the host sets some, by fread(), or none ----

static void read_zeros(size_t bytes)
{
    FILE *zeros = fopen("/dev/zero", "r");
    EXPECT(zeros && fread(h_words, 1, bytes, zeros) == bytes);
    fclose(zeros);
}

// The kernel gets them as h_words, or a copy as d_words.
#define KERNEL_ON_NEW(name, allocate, bytes, words)                                                \
    KERNEL_BY(name, CHECK(allocate(&h_words, 256)); read_zeros(right ? 256 : bytes);               \
              CHECK(cudaMalloc(&d_words, 256));                                                    \
              CHECK(cudaMemcpy(d_words, h_words, 256, cudaMemcpyDefault));                         \
              kernel<<<1, THREADS>>>(words))

// Case: managed_sum
// Says: read of unwritten managed memory | 4-byte element 0 of the 256-byte allocation
// Says: in managed_sum, block (0,0,0) | by thread (0,0,0) at @1 | a driver may give zeros
KERNEL_ON_NEW(managed_sum, cudaMallocManaged, 0, h_words)
{
    atomicAdd(d, 1); // 1 managed_sum
}

// Case: pinned_part
// Says: read of unwritten pinned memory | 4-byte element 32 of the 256-byte allocation
// Says: in pinned_part, block (0,0,0) | by thread (32,0,0) at @1
KERNEL_ON_NEW(pinned_part, cudaMallocHost, 128, h_words)
{
    d[threadIdx.x] *= 2; // 1 pinned_part
}

// Case: pinned_copy - the copy is as unwritten as the original
// Says: read of unwritten global memory | 4-byte element 63 | by thread (63,0,0) at @1
KERNEL_ON_NEW(pinned_copy, cudaMallocHost, 252, d_words)
{
    d[threadIdx.x] *= 2; // 1 pinned_copy
}

// Case: managed_halves - a word that is written in part counts as written
// Says: read of unwritten managed memory | 2-byte element 4 of the 256-byte allocation
KERNEL_ON_NEW(managed_halves, cudaMallocManaged, 6, h_words)
{
    const short *halves = (const short *)d;
    if (threadIdx.x < 8)
        d_sink[threadIdx.x] = halves[threadIdx.x];
}

// Case: managed_rest - a note, as for a copy
// Exit: 0
// Count: 1 ^simt:
// Says: note: host code at @1 reads memory that was never written
// Says: 4 bytes, from byte 252 of the 256-byte allocation
static void host_managed_rest(kernel_t kernel);
KERNEL_BY(managed_rest, host_managed_rest(kernel))
{
    if (RIGHT || threadIdx.x < THREADS - 1)
        d[threadIdx.x] = 1;
}
static void host_managed_rest(kernel_t kernel)
{
    int sum = 0;
    CHECK(cudaMallocManaged(&h_words, 256));
    kernel<<<1, THREADS>>>(h_words);
    CHECK(cudaDeviceSynchronize());
    for (unsigned i = 0; i < THREADS; i++)
        sum += h_words[i]; // 1 managed_rest
    EXPECT(sum == THREADS || !right);
}
