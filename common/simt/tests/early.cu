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

__global__ void before(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    p[threadIdx.x] += p[LINE + threadIdx.x]; // 1 reads stores fetches half other_block
}

// Case: reads
// Says: race on 4-byte element 1 of the 16384-byte allocation in reads
// Says: written by the previous launch, at @1 | read by thread (0,0,0) of block (0,0,0) at @2
// Says: that launch may still be running: cudaGridDependencySynchronize() before line
KERNEL reads(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    const int next = p[(threadIdx.x + 1) % THREADS]; // 2 reads
    if (!RIGHT)
        cudaGridDependencySynchronize();
    p[2 * THREADS + threadIdx.x] = next;
}

// Case: stores
// Says: race on 4-byte element 1024 of the 16384-byte allocation in stores
// Says: read by the previous launch, at @1 | written by thread (0,0,0) of block (0,0,0) at @2
KERNEL stores(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    p[LINE + threadIdx.x] = 1; // 2 stores
}

// One thread waits, and the others do not synchronise with it.
// Case: half
// Says: written by the previous launch, at @1 | read by thread (1,0,0) of block (0,0,0) at @2
KERNEL half(int *p)
{
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    if (RIGHT)
        __syncthreads();
    p[2 * THREADS + threadIdx.x] = p[threadIdx.x]; // 2 half
}

// Case: fetches
// Says: written by the previous launch, at @1 | read by thread (0,0,0) of block (0,0,0)
KERNEL fetches(int *p)
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
                           s_data, p, sizeof s_data, &s_full);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&s_full, 0))
        ;
    p[2 * THREADS + threadIdx.x] = s_data[threadIdx.x];
}

// A copy that the previous launch started counts as its store.
__global__ void copies(int *p)
{
    __shared__ alignas(16) int s_data[THREADS];
    asm volatile("griddepcontrol.launch_dependents;");
    s_data[threadIdx.x] = 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, // 1 after_copy
                           p, s_data, sizeof s_data);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// Case: after_copy
// Says: copied by the previous launch, at @1
// Says: read by thread (0,0,0) of block (0,0,0) at @2
KERNEL after_copy(int *p)
{
    if (RIGHT)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    p[2 * THREADS + threadIdx.x] = p[threadIdx.x]; // 2 after_copy
}

// Accesses of other widths.
__global__ void halves(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    ((short *)p)[2 * threadIdx.x] = 1; // 1 narrow
}

// Case: narrow
// Says: written by the previous launch, at @1 | read by thread (0,0,0) of block (0,0,0) at @2
KERNEL narrow(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    const char part = ((char *)p)[threadIdx.x]; // 2 narrow
    p[2 * THREADS + threadIdx.x] = part;
}

// More memory than the tables hold, with an element for each thread.
__global__ void fill(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    p[blockIdx.x * THREADS + threadIdx.x] = 1; // 1 large
}

// Case: large
// Says: written by the previous launch, at @1 | at @2
KERNEL large(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    p[blockIdx.x * THREADS + threadIdx.x] *= 2; // 2 large
}

// In a cluster of two blocks, the second of which waits and does not synchronise with the first.
// Case: other_block
// Says: written by the previous launch, at @1
// Says: read by thread (0,0,0) of block (0,0,0) at @2
KERNEL other_block(int *p)
{
    if (RIGHT || blockIdx.x == 1)
        cudaGridDependencySynchronize();
    __syncthreads();
    p[(2 + blockIdx.x) * THREADS + threadIdx.x] = p[threadIdx.x]; // 2 other_block
}

// Lanes that synchronise with one that has waited; and memory that the previous launch does not
// touch needs no wait.
// Case: meets_lane
// Run: $WORK/early $CASE right
// Exit: 0
// Count: 0 .
KERNEL meets_lane(int *p)
{
    const int own = p[3 * THREADS + threadIdx.x];
    if (threadIdx.x % 32 == 5)
        cudaGridDependencySynchronize();
    __syncwarp();
    p[3 * THREADS + threadIdx.x] = own + p[threadIdx.x];
}

// Never waits: something between the two launches separates them, or the first one never lets the
// second one start.
__global__ void untriggered(int *p)
{
    p[threadIdx.x] = 1;
}
// Case: parted
// Run: $WORK/early $CASE right
// Exit: 0
// Count: 0 .
KERNEL parted(int *p)
{
    p[LINE + threadIdx.x] = p[threadIdx.x];
}

typedef void (*kernel_t)(int *);

static void launch_early(kernel_t kernel, unsigned blocks = 1, unsigned cluster = 1,
                         int allowed = 1)
{
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[0].val.programmaticStreamSerializationAllowed = allowed;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = cluster;
    attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = THREADS;
    config.attrs = attributes;
    config.numAttrs = 2;
    CHECK(cudaLaunchKernelEx(&config, kernel, d_words));
}

static void host_parted()
{
    const kernel_t kernel = parted<true>;
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
    launch_early(kernel, 1, 1, 0);
    CHECK(cudaDeviceSynchronize());
    untriggered<<<1, THREADS>>>(d_words);
    launch_early(kernel);
    CHECK(cudaFree(d_more));
    CHECK(cudaEventDestroy(event));
}

#define RUN_EARLY(first, kernel, blocks, cluster)                                                  \
    if (strcmp(wanted, #kernel) == 0) {                                                            \
        ran = true;                                                                                \
        first<<<blocks / cluster, THREADS>>>(d_words);                                             \
        launch_early(right ? kernel<true> : kernel<false>, blocks, cluster);                       \
    }

int main(int argc, char **argv)
{
    start(argc, argv);
    RUN_EARLY(before, reads, 1, 1);
    RUN_EARLY(before, stores, 1, 1);
    RUN_EARLY(before, half, 1, 1);
    RUN_EARLY(before, fetches, 1, 1);
    RUN_EARLY(copies, after_copy, 1, 1);
    RUN_EARLY(halves, narrow, 1, 1);
    RUN_EARLY(before, other_block, 2, 2);
    RUN_EARLY(before, meets_lane, 1, 1);
    if (strcmp(wanted, "large") == 0) {
        CHECK(cudaFree(d_words));
        CHECK(cudaMalloc(&d_words, (1 << 19) * sizeof(int)));
    }
    RUN_EARLY(fill, large, (1 << 19) / THREADS, 1);
    if (strcmp(wanted, "parted") == 0) {
        ran = true;
        host_parted();
    }
    return finish();
}
