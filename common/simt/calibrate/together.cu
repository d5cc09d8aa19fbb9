// SPDX-License-Identifier: MIT
//
// together.cu - what blocks do together, one thing in each kernel: the shared memory of another
// block, posts, bulk copies, memory barriers, the sync of a cluster, atomics with a scope. Run
// under Nsight Compute by record.sh, to see which of it counts as a memory request. It takes sm_90.
//
// Needs: CUDA 12.6
//
// Beside each kernel is what the emulator counts: no remote accesses, no posts, no bulk copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum : unsigned { LANES = 32, WORDS = 1024, BYTES = WORDS * sizeof(int) };

// 1 store and 0 loads of shared memory, 1 store of global memory a block.
__global__ void __cluster_dims__(2) far_load(int, int *d_out)
{
    __shared__ int s_words[LANES];
    const cg::cluster_group cluster = cg::this_cluster();
    s_words[threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    d_out[blockIdx.x * LANES + threadIdx.x] =
        *cluster.map_shared_rank(&s_words[threadIdx.x], cluster.block_rank() ^ 1);
    cluster.sync();
}

// The same with a stride of 8 words: are there wavefronts?
__global__ void __cluster_dims__(2) far_load_strided(int, int *d_out)
{
    __shared__ int s_words[8 * LANES];
    const cg::cluster_group cluster = cg::this_cluster();
    s_words[8 * threadIdx.x] = (int)threadIdx.x;
    cluster.sync();
    d_out[blockIdx.x * LANES + threadIdx.x] =
        *cluster.map_shared_rank(&s_words[8 * threadIdx.x], cluster.block_rank() ^ 1);
    cluster.sync();
}

// 0 stores and 1 load of shared memory.
__global__ void __cluster_dims__(2) far_store(int, int *d_out)
{
    __shared__ int s_words[LANES];
    const cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    *cluster.map_shared_rank(&s_words[threadIdx.x], cluster.block_rank() ^ 1) = (int)threadIdx.x;
    cluster.sync();
    d_out[blockIdx.x * LANES + threadIdx.x] = s_words[threadIdx.x];
}

// 1 store and 1 load of shared memory; the atomic is not counted.
__global__ void __cluster_dims__(2) far_atomic(int, int *d_out)
{
    __shared__ int s_words[LANES];
    const cg::cluster_group cluster = cg::this_cluster();
    s_words[threadIdx.x] = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(&s_words[threadIdx.x], cluster.block_rank() ^ 1), 1);
    cluster.sync();
    d_out[blockIdx.x * LANES + threadIdx.x] = s_words[threadIdx.x];
}

// 1 load of shared memory.
__global__ void __cluster_dims__(2) post(int, int *d_out)
{
    __shared__ uint64_t s_bar;
    __shared__ int s_words[LANES];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s_bar,
                                       LANES * 4);
    }
    cluster.sync();
    ptx::st_async(cluster.map_shared_rank(&s_words[threadIdx.x], other), (int)threadIdx.x,
                  cluster.map_shared_rank(&s_bar, other));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s_bar, 0)) {
    }
    d_out[blockIdx.x * LANES + threadIdx.x] = s_words[threadIdx.x];
}

// 32 loads of shared memory; of global memory the store alone.
__global__ void bulk_in(const int *d_in, int *d_out)
{
    __shared__ alignas(128) int s_words[WORDS];
    __shared__ uint64_t s_bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s_bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &s_bar,
                                       BYTES);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s_words, d_in, BYTES, &s_bar);
    }
    __syncwarp();
    while (!ptx::mbarrier_try_wait_parity(&s_bar, 0)) {
    }
    int sum = 0;
    for (unsigned i = threadIdx.x; i < WORDS; i += LANES)
        sum += s_words[i];
    d_out[threadIdx.x] = sum;
}

// 32 stores of shared memory, none of global memory.
__global__ void bulk_out(const int *, int *d_out)
{
    __shared__ alignas(128) int s_words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += LANES)
        s_words[i] = (int)i;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, d_out, s_words, BYTES);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
}

// 32 loads of global memory, 1 of shared memory, 1 store.
__global__ void group_copy(const int *d_in, int *d_out)
{
    __shared__ alignas(128) int s_words[WORDS];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s_words, d_in, sizeof s_words);
    cg::wait(block);
    d_out[threadIdx.x] = s_words[threadIdx.x];
}

// 1 load and 2 stores of global memory.
__global__ void strong(int *d_in, int *d_out)
{
    const cuda::atomic_ref<int, cuda::thread_scope_device> at(d_in[threadIdx.x]);
    const int x = at.load(cuda::memory_order_acquire);
    at.store(x + 1, cuda::memory_order_release);
    d_out[threadIdx.x] = x;
}

static void check(const char *what)
{
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "together: %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

int main()
{
    int *d_in, *d_out;
    cudaMalloc(&d_in, BYTES);
    cudaMalloc(&d_out, BYTES);
    cudaMemset(d_in, 0, BYTES);
    far_load<<<2, LANES>>>(0, d_out);
    far_load_strided<<<2, LANES>>>(0, d_out);
    far_store<<<2, LANES>>>(0, d_out);
    far_atomic<<<2, LANES>>>(0, d_out);
    post<<<2, LANES>>>(0, d_out);
    bulk_in<<<1, LANES>>>(d_in, d_out);
    bulk_out<<<1, LANES>>>(d_in, d_out);
    group_copy<<<1, LANES>>>(d_in, d_out);
    strong<<<1, LANES>>>(d_in, d_out);
    check("a launch");
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
