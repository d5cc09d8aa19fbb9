// SPDX-License-Identifier: MIT
//
// early.cu - a launch that may start while the one before it still runs: `early NAME` and
// `early NAME right`, as in race.cu. Right before it `before` is launched, or `copies`.
#include <cuda/ptx>

#include "find.h"

namespace ptx = cuda::ptx;

enum : unsigned { THREADS = 64, LINE = 1024 }; // words; `before` writes the first of them

__global__ void before(int *p)
{
    p[threadIdx.x] = (int)threadIdx.x + p[LINE + threadIdx.x]; // 1 reads stores fetches half
}

// FIND reads race on 4-byte element 1 of the 16384-byte allocation in reads
// FIND reads written by the launch before, at @1 | read by thread (0,0,0) of block (0,0,0) at @2
// FIND reads this launch may start while that one still runs: call
// FIND reads cudaGridDependencySynchronize() before line
KERNEL reads(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    const int next = p[(threadIdx.x + 1) % THREADS]; // 2 reads
    if (!RIGHT)
        cudaGridDependencySynchronize();
    p[2 * THREADS + threadIdx.x] = next;
}

// FIND stores race on 4-byte element 1024 of the 16384-byte allocation in stores
// FIND stores read by the launch before, at @1 | written by thread (0,0,0) of block (0,0,0) at @2
KERNEL stores(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    p[LINE + threadIdx.x] = 1; // 2 stores
}

// One thread waits, and the others do not meet it.
// FIND half written by the launch before, at @1 | read by thread (1,0,0) of block (0,0,0) at @2
KERNEL half(int *p)
{
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    if (RIGHT)
        __syncthreads();
    p[2 * THREADS + threadIdx.x] = p[threadIdx.x]; // 2 half
}

// FIND fetches written by the launch before, at @1 | read by thread (0,0,0) of block (0,0,0) at @2
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

// A copy that the launch before has asked for counts as its store.
__global__ void copies(int *p)
{
    __shared__ alignas(16) int s_data[THREADS];
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

// FIND after_copy copied by the launch before, at @1
// FIND after_copy read by thread (0,0,0) of block (0,0,0) at @2
KERNEL after_copy(int *p)
{
    if (RIGHT)
        cudaGridDependencySynchronize();
    p[2 * THREADS + threadIdx.x] = p[threadIdx.x]; // 2 after_copy
}

// Lanes that meet one that has waited; and what the launch before does not touch needs no wait.
KERNEL meets_lane(int *p)
{
    const int own = p[3 * THREADS + threadIdx.x];
    if (threadIdx.x % 32 == 5)
        cudaGridDependencySynchronize();
    __syncwarp();
    p[3 * THREADS + threadIdx.x] = own + p[threadIdx.x];
}

// Never waits: what lies between the two launches parts them.
KERNEL parted(int *p)
{
    p[LINE + threadIdx.x] = p[threadIdx.x];
}

typedef void (*kernel_t)(int *);

static void launch_early(kernel_t kernel, int allowed = 1, cudaStream_t stream = nullptr)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = allowed;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = THREADS;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel, d_words));
}

static void host_parted()
{
    const kernel_t kernel = parted<true>;
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
#define PARTS(call)                                                                                \
    before<<<1, THREADS>>>(d_words);                                                               \
    call;                                                                                          \
    launch_early(kernel)
    PARTS(CHECK(cudaDeviceSynchronize()));
    PARTS(CHECK(cudaMemsetAsync(d_words + 2 * LINE, 0, 4)));
    PARTS(CHECK(cudaMemcpyAsync(d_words + 2 * LINE, d_words, 4, cudaMemcpyDeviceToDevice)));
    PARTS(CHECK(cudaEventRecord(event)));
    CHECK(cudaDeviceSynchronize());
    before<<<1, THREADS>>>(d_words);
    launch_early(kernel, 0);
    CHECK(cudaEventDestroy(event));
}

#define RUN_EARLY(first, kernel)                                                                   \
    if (strcmp(wanted, #kernel) == 0) {                                                            \
        ran = true;                                                                                \
        first<<<1, THREADS>>>(d_words);                                                            \
        launch_early(right ? kernel<true> : kernel<false>);                                        \
    }

int main(int argc, char **argv)
{
    start(argc, argv);
    RUN_EARLY(before, reads);
    RUN_EARLY(before, stores);
    RUN_EARLY(before, half);
    RUN_EARLY(before, fetches);
    RUN_EARLY(copies, after_copy);
    RUN_EARLY(before, meets_lane);
    if (strcmp(wanted, "parted") == 0) {
        ran = true;
        host_parted();
    }
    return finish();
}
