// SPDX-License-Identifier: MIT
//
// early.cu - a launch that may start while the previous one still runs: `early NAME` and `early
// NAME right`, as in race.cu. Right before it `before` is launched, or `copies`.
//
// Group: simt early
// Run: right=$($WORK/early $CASE right 2>&1) && [ -z "$right" ] && $WORK/early $CASE
// Exit: 1
// Count: 2 ^simt:
#include <cuda/ptx>

#include "find.h"

namespace ptx = cuda::ptx;

enum : unsigned { THREADS = 64, LINE = 1024 }; // words; `before` writes the first of them

static void launch_early(kernel_t kernel, unsigned blocks = 1, unsigned cluster = 1,
                         bool allowed = true)
{
    const launch_config config(blocks, THREADS, cluster, allowed);
    CHECK(cudaLaunchKernelEx(&config, kernel, d_words));
}

#define KERNEL_AFTER(first, name)                                                                  \
    KERNEL_BY(name, first<<<1, THREADS>>>(d_words); launch_early(kernel))

__global__ void before(int *d)
{
    cudaTriggerProgrammaticLaunchCompletion();
    d[threadIdx.x] += d[LINE + threadIdx.x]; // 1 reads stores fetches half other_block
}

// Case: reads
// Says: race on 4-byte element 1 of the 16384-byte allocation in reads
// Says: written by the previous launch, at @1 | read by thread (0,0,0) of block (0,0,0) at @2
// Says: that launch may still be running: cudaGridDependencySynchronize() before line
KERNEL_AFTER(before, reads)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    const int next = d[(threadIdx.x + 1) % THREADS]; // 2 reads
    if (!RIGHT)
        cudaGridDependencySynchronize();
    d[2 * THREADS + threadIdx.x] = next;
}

// Case: stores
// Says: race on 4-byte element 1024 of the 16384-byte allocation in stores
// Says: read by the previous launch, at @1 | written by thread (0,0,0) of block (0,0,0) at @2
KERNEL_AFTER(before, stores)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    d[LINE + threadIdx.x] = 1; // 2 stores
}

// One thread waits, and the others do not synchronise with it.
// Case: half
// Says: written by the previous launch, at @1 | read by thread (1,0,0) of block (0,0,0) at @2
KERNEL_AFTER(before, half)
{
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    if (RIGHT)
        __syncthreads();
    d[2 * THREADS + threadIdx.x] = d[threadIdx.x]; // 2 half
}

// Case: fetches
// Says: written by the previous launch, at @1 | read by thread (0,0,0) of block (0,0,0)
KERNEL_AFTER(before, fetches)
{
    __shared__ alignas(16) int s_data[THREADS];
    __shared__ uint64_t s_full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_full, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        if (RIGHT)
            cudaGridDependencySynchronize();
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s_full,
                                       sizeof s_data);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, // 2 fetches
                           s_data, d, sizeof s_data, &s_full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&s_full, 0))
        ;
    d[2 * THREADS + threadIdx.x] = s_data[threadIdx.x];
}

// A copy that the previous launch started counts as its store.
__global__ void copies(int *d)
{
    __shared__ alignas(16) int s_data[THREADS];
    asm volatile("griddepcontrol.launch_dependents;");
    s_data[threadIdx.x] = 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, // 1 after_copy
                           d, s_data, sizeof s_data);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// Case: after_copy
// Says: copied by the previous launch, at @1
// Says: read by thread (0,0,0) of block (0,0,0) at @2
KERNEL_AFTER(copies, after_copy)
{
    if (RIGHT)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    d[2 * THREADS + threadIdx.x] = d[threadIdx.x]; // 2 after_copy
}

// Accesses of other widths.
__global__ void halves(int *d)
{
    cudaTriggerProgrammaticLaunchCompletion();
    ((short *)d)[2 * threadIdx.x] = 1; // 1 narrow
}

// Case: narrow
// Says: written by the previous launch, at @1 | read by thread (0,0,0) of block (0,0,0) at @2
KERNEL_AFTER(halves, narrow)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    const char part = ((char *)d)[threadIdx.x]; // 2 narrow
    d[2 * THREADS + threadIdx.x] = part;
}

// More memory than the tables hold, with an element for each thread.
__global__ void fill(int *d)
{
    cudaTriggerProgrammaticLaunchCompletion();
    d[blockIdx.x * THREADS + threadIdx.x] = 1; // 1 large
}

enum { LARGE = 1 << 19 };

// Case: large
// Says: written by the previous launch, at @1 | at @2
KERNEL_BY(large, CHECK(cudaMalloc(&d_words, LARGE * sizeof(int)));
          fill<<<LARGE / THREADS, THREADS>>>(d_words); launch_early(kernel, LARGE / THREADS))
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    d[blockIdx.x * THREADS + threadIdx.x] *= 2; // 2 large
}

// In a cluster of two blocks, the second of which waits and does not synchronise with the first.
// Case: other_block
// Says: written by the previous launch, at @1
// Says: read by thread (0,0,0) of block (0,0,0) at @2
KERNEL_BY(other_block, before<<<1, THREADS>>>(d_words); launch_early(kernel, 2, 2))
{
    if (RIGHT || blockIdx.x == 1)
        cudaGridDependencySynchronize();
    __syncthreads();
    d[(2 + blockIdx.x) * THREADS + threadIdx.x] = d[threadIdx.x]; // 2 other_block
}

// Lanes that synchronise with one that has waited; and memory that the previous launch does not
// touch needs no wait.
// Case: meets_lane
// Run: $WORK/early $CASE right
// Exit: 0
// Count: 0 .
KERNEL_AFTER(before, meets_lane)
{
    const int own = d[3 * THREADS + threadIdx.x];
    if (threadIdx.x % 32 == 5)
        cudaGridDependencySynchronize();
    __syncwarp();
    d[3 * THREADS + threadIdx.x] = own + d[threadIdx.x];
}

// Never waits: something between the two launches separates them, or the first one never lets the
// second one start.
__global__ void untriggered(int *d)
{
    d[threadIdx.x] = 1;
}
// Case: parted
// Run: $WORK/early $CASE right
// Exit: 0
// Count: 0 .
static void host_parted(kernel_t kernel);
KERNEL_BY(parted, host_parted(kernel))
{
    d[LINE + threadIdx.x] = d[threadIdx.x];
}

static void host_parted(kernel_t kernel)
{
    void *d_more;
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
#define PARTS(call)                                                                                \
    before<<<1, THREADS>>>(d_words);                                                               \
    CHECK(call);                                                                                   \
    launch_early(kernel)
    PARTS(cudaDeviceSynchronize());
    PARTS(cudaMemsetAsync(d_words + 2 * LINE, 0, 4));
    PARTS(cudaMemcpyAsync(d_words + 2 * LINE, d_words, 4, cudaMemcpyDeviceToDevice));
    PARTS(cudaEventRecord(event));
    PARTS(cudaStreamWaitEvent(nullptr, event, 0));
    PARTS(cudaMallocAsync(&d_more, 4, nullptr));
    CHECK(cudaDeviceSynchronize());
    before<<<1, THREADS>>>(d_words);
    launch_early(kernel, 1, 1, false);
    CHECK(cudaDeviceSynchronize());
    untriggered<<<1, THREADS>>>(d_words);
    launch_early(kernel);
    CHECK(cudaFree(d_more));
    CHECK(cudaEventDestroy(event));
}
