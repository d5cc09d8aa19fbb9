// SPDX-License-Identifier: MIT
//
// subset_together.cu - blocks that run together: clusters and their shared memory, cooperative
// grids; memory barriers and the copies that they track; atomics with a scope.
#include "device_check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum { THREADS = 96 };

// ---- clusters ----

// Each block gives its number to the others of its cluster, by plain stores.
__global__ void __cluster_dims__(4, 2) ring_kernel(int *out)
{
    __shared__ int s_from[8];
    extern __shared__ int s_dynamic[];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
    const int number = (int)(blockIdx.x + gridDim.x * blockIdx.y);
    TRUE(blocks == 8 && cluster.dim_blocks().x == 4 && cluster.dim_blocks().y == 2);
    TRUE(rank == cluster.block_index().x + 4 * cluster.block_index().y);
    TRUE(cluster.block_index().x == blockIdx.x % 4 && cluster.num_threads() == 8 * THREADS);
    TRUE(cluster.query_shared_rank(s_from) == rank);
    TRUE(cluster.map_shared_rank(s_from, (int)rank) == s_from);
    TRUE(cluster.query_shared_rank(cluster.map_shared_rank(s_from, 5)) == 5);
    s_dynamic[threadIdx.x] = number;
    cluster.sync();
    if (threadIdx.x < blocks)
        cluster.map_shared_rank(s_from, (int)threadIdx.x)[rank] = number;
    const int next = *cluster.map_shared_rank(&s_dynamic[THREADS - 1], (rank + 1) % 8);
    atomicAdd(cluster.map_shared_rank(&s_dynamic[0], 0), 1000);
    cluster.sync();
    if (threadIdx.x == 0)
        for (unsigned r = 0; r < blocks; r++)
            TRUE(s_from[r] ==
                 (int)(blockIdx.x / 4 * 4 + r % 4 + gridDim.x * (blockIdx.y / 2 * 2 + r / 4)));
    TRUE(next == s_from[(rank + 1) % 8]);
    if (threadIdx.x == 0 && rank == 0)
        TRUE(s_dynamic[0] == number + 8 * THREADS * 1000);
    out[THREADS * number + (int)threadIdx.x] = number;
}

// Threads that have exited count as arrived. Rounds, with work between the halves of the barrier.
__global__ void halves_kernel(int *out, int rounds)
{
    __shared__ int s_sum;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
    if (threadIdx.x >= 40)
        return;
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        if (threadIdx.x == 0)
            s_sum = round + (int)rank;
        cluster.barrier_arrive();
        sum += round;
        cluster.barrier_wait();
        sum += *cluster.map_shared_rank(&s_sum, (int)next);
        cluster.sync();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// Each block posts to the next one, and waits only for its own post.
__global__ void __cluster_dims__(2) post_kernel(unsigned long long *out)
{
    __shared__ uint64_t s_bar, s_word[2];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = 1 - cluster.block_rank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s_bar,
                                       16);
    }
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    if (threadIdx.x < 2)
        ptx::st_async(cluster.map_shared_rank(&s_word[threadIdx.x], other),
                      (uint64_t)(10 * blockIdx.x + threadIdx.x),
                      cluster.map_shared_rank(&s_bar, other));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s_bar, 0)) {
    }
    if (threadIdx.x < 2)
        out[2 * blockIdx.x + threadIdx.x] = s_word[threadIdx.x];
    TRUE(ptx::get_sreg_cluster_ctarank() == cluster.block_rank());
}

// One copy to all blocks of a cluster; and one from block to block.
__global__ void __cluster_dims__(4) multicast_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int s_in[64], s_back[64];
    __shared__ uint64_t s_bar, s_second;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_bar, 1);
        ptx::mbarrier_init(&s_second, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s_bar,
                                       256);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &s_second, 256);
    }
    cluster.sync();
    if (rank == 2 && threadIdx.x == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_in, in, 256, &s_bar,
                           (uint16_t)0xf);
    while (!ptx::mbarrier_try_wait_parity(&s_bar, 0)) {
    }
    const int x = threadIdx.x < 64 ? s_in[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x < 64)
        s_in[threadIdx.x] = x + (int)rank;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                           cluster.map_shared_rank(s_back, (int)(rank + 1) % 4), s_in, 256,
                           cluster.map_shared_rank(&s_second, (int)(rank + 1) % 4));
    while (!ptx::mbarrier_try_wait_parity(&s_second, 0)) {
    }
    if (threadIdx.x < 64)
        out[64 * rank + threadIdx.x] = s_back[threadIdx.x];
    cluster.sync();
}

// ---- cooperative grids ----

__global__ void halve_kernel(float *data, int n)
{
    const cg::grid_group grid = cg::this_grid();
    TRUE(grid.is_valid() && grid.size() == gridDim.x * blockDim.x);
    for (; n > 1; n /= 2) {
        for (unsigned long long i = grid.thread_rank(); i < (unsigned)n / 2; i += grid.size())
            data[i] += data[i + n / 2];
        grid.sync();
    }
}

// ---- memory barriers ----

// Two warps fill a ring of two stages, and the third one adds up: no __syncthreads in the loop.
__global__ void pipe_kernel(int *out, int rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int s_ring[2][64];
    __shared__ barrier s_full[2], s_empty[2];
    if (threadIdx.x < 2) {
        init(&s_full[threadIdx.x], THREADS);
        init(&s_empty[threadIdx.x], THREADS);
    }
    __syncthreads();
    int sum = 0;
    if (threadIdx.x < 64) {
        for (int r = 0; r < rounds; r++) {
            s_empty[r % 2].arrive_and_wait();
            s_ring[r % 2][threadIdx.x] = r * (int)threadIdx.x;
            (void)s_full[r % 2].arrive();
        }
    } else {
        (void)s_empty[0].arrive();
        (void)s_empty[1].arrive();
        for (int r = 0; r < rounds; r++) {
            s_full[r % 2].arrive_and_wait();
            for (int k = 0; k < 64; k++)
                sum += s_ring[r % 2][k];
            (void)s_empty[r % 2].arrive();
        }
        out[threadIdx.x - 64] = sum;
    }
}

__global__ void tokens_kernel(int *out)
{
    __shared__ uint64_t s_bar;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&s_bar, THREADS / 32);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        const uint64_t state = ptx::mbarrier_arrive(&s_bar);
        while (!ptx::mbarrier_test_wait(&s_bar, state)) {
        }
        TRUE(ptx::mbarrier_try_wait(&s_bar, state));
    }
    __syncwarp();
    out[threadIdx.x] = 1;
}

// ---- copies ----

__global__ void bulk_kernel(const int *in, int *out)
{
    __shared__ alignas(128) int s_in[256];
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier s_bar;
    if (threadIdx.x == 0)
        init(&s_bar, THREADS);
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(s_in, in, cuda::aligned_size_t<16>(sizeof s_in), s_bar);
        token = cuda::device::barrier_arrive_tx(s_bar, 1, sizeof s_in);
    } else {
        token = s_bar.arrive();
    }
    s_bar.wait(std::move(token));
    for (unsigned i = threadIdx.x; i < 256; i += THREADS)
        s_in[i] *= 2;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, s_in, 512);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 128, s_in + 128, 512);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>{});
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
    }
}

__global__ void group_copy_kernel(const int *in, int *out)
{
    __shared__ int s_in[2][99]; // not a multiple of 16 bytes
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s_in[0], in, sizeof s_in[0]);
    cg::memcpy_async(block, s_in[1], 99, in + 99, 99);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = s_in[0][threadIdx.x + 1];
    cg::wait(block);
    out[THREADS + threadIdx.x] = s_in[1][threadIdx.x + 1];

    __shared__ cuda::barrier<cuda::thread_scope_block> s_bar;
    if (threadIdx.x == 0)
        init(&s_bar, THREADS);
    block.sync();
    cuda::memcpy_async(block, s_in[0], in + 1, 98 * sizeof(int), s_bar);
    s_bar.arrive_and_wait();
    TRUE(s_in[0][threadIdx.x] == out[threadIdx.x]);
    const char *bytes = (const char *)in, *s_bytes = (const char *)s_in[1];
    cg::memcpy_async(block, (char *)s_in[1], bytes + 1, 7); // no word that a GPU copies
    cg::wait(block);
    TRUE(threadIdx.x >= 7 || s_bytes[threadIdx.x] == bytes[threadIdx.x + 1]);
}

// ---- atomics with a scope ----

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> tickets;

__global__ void atomic_kernel(int *data)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(data[0]), most(data[1]), bits(data[2]);
    cuda::atomic_ref<float, cuda::thread_scope_system> real(*(float *)&data[3]);
    sum.fetch_add((int)threadIdx.x, cuda::memory_order_relaxed);
    most.fetch_max((int)threadIdx.x);
    bits.fetch_or(1 << threadIdx.x % 32);
    real += 0.5f;
    __shared__ int s_new[THREADS];
    cuda::atomic_ref<int, cuda::thread_scope_block>(s_new[threadIdx.x]).store(1); // reads nothing
    __syncthreads();
    if (threadIdx.x == 0) {
        data[16 + blockIdx.x] = (int)blockIdx.x + 1;
        const unsigned ticket = tickets.fetch_add(1, cuda::std::memory_order_acq_rel);
        if (ticket == gridDim.x - 1) {
            for (unsigned b = 0; b < gridDim.x; b++)
                TRUE(data[16 + b] == (int)b + 1);
            int expected = 7;
            TRUE(!most.compare_exchange_strong(expected, 1) && expected == THREADS - 1);
            TRUE(most.compare_exchange_weak(expected, 1) && most.load() == 1);
            TRUE(most.exchange(5) == 1 && most == 5);
        }
    }
}

// ---- instructions in an asm ----

__global__ void assembly_kernel(const float *x, float *y)
{
    float a = x[threadIdx.x], b = 1.0f, c;
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
    asm volatile("ex2.approx.ftz.f32 %0, %1;\n" : "=f"(c) : "f"(x[threadIdx.x] - b));
    y[2 * threadIdx.x] = a;
    y[2 * threadIdx.x + 1] = c;
}

// Special registers, a barrier, and accesses of one element and of four.
__global__ void registers_kernel(const float *x, float4 *y)
{
    unsigned lane, block, start, highest;
    float one;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    asm volatile("bar.sync 0;\n"
                 "mov.u32 %0, %%clock;\n"
                 : "=r"(start)
                 :
                 : "memory");
    asm volatile("bfind.u32 %0, %1;" : "=r"(highest) : "r"(lane));
    TRUE(lane == threadIdx.x && block == blockIdx.x && start > 0);
    TRUE(highest == (lane == 0 ? ~0u : lane == 1 ? 0u : lane < 4 ? 1u : 2u));
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(one) : "l"(x + lane));
    float4 four;
    asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
                 : "l"(x));
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(y + lane), "f"(one), "f"(four.y), "f"(four.z), "f"(four.x)
                 : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
}

// A word of 16 bytes, and one of 4, from one block to the other.
struct alignas(16) wide_t {
    unsigned long long low, high;
};
__global__ void wide_kernel(wide_t *box, unsigned *flag)
{
    wide_t got = {0, 0};
    unsigned set = 0;
    if (blockIdx.x == 0) {
        asm volatile("{\n\t.reg .b128 word;\n\tmov.b128 word, {%1, %2};\n\t"
                     "st.relaxed.gpu.global.b128 [%0], word;\n\t}" ::"l"(box),
                     "l"(5ull << 40), "l"(7ull)
                     : "memory");
        asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(3) : "memory");
        return;
    }
    while (got.high != 7) {
        asm volatile("{\n\t.reg .b128 word;\n\tld.relaxed.gpu.global.b128 word, [%2];\n\t"
                     "mov.b128 {%0, %1}, word;\n\t}"
                     : "=l"(got.low), "=l"(got.high)
                     : "l"(box)
                     : "memory");
    }
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(set) : "l"(flag) : "memory");
    TRUE(got.low == 5ull << 40 && set == 3);
}

// ---- the host ----

template <typename T>
static T *numbers(size_t count)
{
    T *p = managed<T>(count);
    for (size_t i = 0; i < count; i++)
        p[i] = (T)i;
    return p;
}

int main()
{
    int *in = numbers<int>(1024), *out = numbers<int>(4096), cluster, cooperative;
    CHECK(cudaDeviceGetAttribute(&cluster, cudaDevAttrClusterLaunch, 0));
    CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    EXPECT(cooperative == 1 && cluster == 1);

    ring_kernel<<<dim3(8, 4), THREADS, THREADS * sizeof(int)>>>(out);
    CHECK(cudaDeviceSynchronize());

    CHECK(cudaFuncSetAttribute(halves_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    launch_config config(32, THREADS, 16);
    int clusters; // of 16 blocks on 132 SMs: 21 blocks of 96 threads each, or one
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, halves_kernel, &config));
    EXPECT(clusters == 132 * 21 / 16);
    config.dynamicSmemBytes = 200 << 10;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, halves_kernel, &config));
    EXPECT(clusters == 132 / 16);
    config.dynamicSmemBytes = 227 << 10; // and static arrays
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, halves_kernel, &config));
    EXPECT(clusters == 0);
    config.dynamicSmemBytes = 0;
    CHECK(cudaLaunchKernelEx(&config, halves_kernel, out, 5));
    CHECK(cudaDeviceSynchronize());
    for (int b = 0; b < 32; b++)
        EXPECT(out[b] == 20 + 5 * ((b + 1) % 16));

    unsigned long long *posts = numbers<unsigned long long>(8);
    post_kernel<<<4, THREADS>>>(posts);
    CHECK(cudaDeviceSynchronize());
    EXPECT(posts[0] == 10 && posts[1] == 11 && posts[2] == 0 && posts[5] == 31);

    multicast_kernel<<<4, THREADS>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++)
        EXPECT(out[i] == i % 64 + (i / 64 + 3) % 4);

    float *data = numbers<float>(4096);
    int n = 4096;
    void *args[] = {&data, &n};
    CHECK(cudaLaunchCooperativeKernel((void *)halve_kernel, 12, THREADS, args));
    CHECK(cudaDeviceSynchronize());
    EXPECT(data[0] == 4095.0f * 2048);

    pipe_kernel<<<1, THREADS>>>(out, 9);
    tokens_kernel<<<2, THREADS>>>(out + 32);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        EXPECT(out[i] == 36 * 2016);

    bulk_kernel<<<1, THREADS>>>(in, out);
    group_copy_kernel<<<1, THREADS>>>(in, out + 1024);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++)
        EXPECT(out[i] == 2 * i);
    for (int i = 0; i < THREADS; i++)
        EXPECT(out[1024 + i] == i + 1 && out[1024 + THREADS + i] == i + 100);

    for (int i = 0; i < 4; i++)
        out[i] = 0;
    atomic_kernel<<<10, THREADS>>>(out);
    CHECK(cudaDeviceSynchronize());
    EXPECT(out[0] == 10 * THREADS * (THREADS - 1) / 2 && out[1] == 5 && out[2] == -1);
    EXPECT(*(float *)&out[3] == 5.0f * THREADS);

    float *x = numbers<float>(4), *y = numbers<float>(8);
    x[3] = NAN;
    assembly_kernel<<<1, 4>>>(x, y);
    CHECK(cudaDeviceSynchronize());
    EXPECT(y[0] == 1 && y[1] == 0.5f && y[2] == 1 && y[4] == 2 && y[5] == 2 && isnan(y[6]));

    float *z = numbers<float>(8);
    float4 *quads = managed<float4>(8);
    registers_kernel<<<1, 8>>>(z, quads);
    CHECK(cudaDeviceSynchronize());
    EXPECT(quads[5].x == 5 && quads[5].y == 1 && quads[5].z == 2 && quads[5].w == 0);

    wide_t *box = managed<wide_t>(1);
    wide_kernel<<<2, 1>>>(box, (unsigned *)quads);
    CHECK(cudaDeviceSynchronize());
    return failed_line(__FILE__);
}
