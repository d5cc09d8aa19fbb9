// SPDX-License-Identifier: MIT
//
// distance.cu - how far two blocks are from each other: the cycles that a word takes from one SM to
// another and back. distance.sh builds it and runs it.
//
// Idea          Two blocks wait for each other's word, a thousand rounds. The word is taken out by
//               atomicExch, or stored and loaded, as a mailbox does it, both in L2; or it is stored
//               straight into the other block's shared memory, within a cluster. All of these are
//               relaxed accesses for the device: volatile ones would be for the host as well.
// Needs: a GPU, whose clock it reads
#include "harness/cuda_check.h"

#include <algorithm>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <vector>

#define ROUNDS 1000
#define APART 32 // words: 128 bytes
#define CLUSTER 2

namespace cg = cooperative_groups;

struct exchange {
    static __device__ void put(unsigned *d_word, unsigned round) { atomicExch(d_word, round); }
    static __device__ unsigned take(unsigned *d_word) { return atomicExch(d_word, 0); }
};

struct store_and_load {
    using word_t = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
    static __device__ void put(unsigned *d_word, unsigned round)
    {
        word_t(*d_word).store(round, cuda::memory_order_relaxed);
    }
    static __device__ unsigned take(unsigned *d_word)
    {
        return word_t(*d_word).load(cuda::memory_order_relaxed);
    }
};

// The first of two blocks sends `round` and waits for it; the second one waits and sends it back.
template <typename Way>
__device__ void play(bool first, unsigned *there, unsigned *back)
{
    for (unsigned round = 1; round <= ROUNDS; round++) {
        if (first) {
            Way::put(there, round);
        }
        while (Way::take(first ? back : there) != round) {
        }
        if (!first) {
            Way::put(back, round);
        }
    }
}

// Launch: one thread a block, one block an SM. Block 0 and block `partner` play; *d_cycles: of a
// round. d_words: two words, both 0.
template <typename Way>
__global__ void l2_kernel(unsigned partner, unsigned *d_words, unsigned *d_cycles)
{
    if (blockIdx.x != 0 && blockIdx.x != partner) {
        return;
    }
    const long long start = clock64();
    play<Way>(blockIdx.x == 0, &d_words[0], &d_words[APART]);
    if (blockIdx.x == 0) {
        *d_cycles = (unsigned)((clock64() - start) / ROUNDS);
    }
}

// Launch: one thread a block, clusters of CLUSTER blocks, one block an SM; cluster c writes
// d_cycles[c]. Each word lies where it is waited for.
__global__ void cluster_kernel(unsigned *d_cycles)
{
#if __CUDA_ARCH__ >= 900
    __shared__ unsigned s_word;
    const cg::cluster_group cluster = cg::this_cluster();
    const bool first = cluster.block_rank() == 0;
    s_word = 0;
    cluster.sync(); // both words are 0
    const long long start = clock64();
    play<store_and_load>(first, cluster.map_shared_rank(&s_word, 1),
                         cluster.map_shared_rank(&s_word, 0));
    if (first) {
        d_cycles[blockIdx.x / CLUSTER] = (unsigned)((clock64() - start) / ROUNDS);
    }
    cluster.sync(); // no block leaves while the other one may write to it
#endif
}

// The dynamic shared memory of a block that leaves no room on its SM for a second one: all that a
// block may have, but for static arrays.
static int one_an_sm()
{
    int most = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return most - 1024;
}

static void print_row(const char *way, std::vector<unsigned> cycles)
{
    std::sort(cycles.begin(), cycles.end());
    printf("%s,%zu,%u,%u,%u\n", way, cycles.size(), cycles.front(), cycles[cycles.size() / 2],
           cycles.back());
}

template <typename Way>
static void measure_l2(const char *way, unsigned sms, unsigned *d_words, unsigned *d_cycles)
{
    std::vector<unsigned> cycles(sms - 1);
    const int bytes = one_an_sm();
    CUDA_CHECK(
        cudaFuncSetAttribute(l2_kernel<Way>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    for (unsigned partner = 1; partner < sms; partner++) {
        CUDA_CHECK(cudaMemset(d_words, 0, 2 * APART * sizeof(unsigned)));
        l2_kernel<Way><<<sms, 1, bytes>>>(partner, d_words, d_cycles + partner - 1);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(cycles.data(), d_cycles, cycles.size() * sizeof(unsigned),
                          cudaMemcpyDeviceToHost));
    print_row(way, cycles);
}

static void measure_cluster(const char *way, unsigned sms, unsigned *d_cycles)
{
    std::vector<unsigned> cycles(sms / CLUSTER);
    cudaLaunchAttribute size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim = {CLUSTER, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = CLUSTER * (unsigned)cycles.size();
    config.blockDim = 1;
    config.dynamicSmemBytes = one_an_sm();
    config.attrs = &size;
    config.numAttrs = 1;
    CUDA_CHECK(cudaFuncSetAttribute(cluster_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    one_an_sm()));
    CUDA_CHECK(cudaLaunchKernelEx(&config, cluster_kernel, d_cycles));
    CUDA_CHECK(cudaMemcpy(cycles.data(), d_cycles, cycles.size() * sizeof(unsigned),
                          cudaMemcpyDeviceToHost));
    print_row(way, cycles);
}

int main()
{
    int sms = 0, major = 0;
    unsigned *d_words, *d_cycles;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA_CHECK(cudaMalloc(&d_words, 2 * APART * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&d_cycles, sms * sizeof(unsigned)));
    printf("way,pairs,least_cycles,median_cycles,most_cycles\n");
    measure_l2<exchange>("atomicExch in L2", (unsigned)sms, d_words, d_cycles);
    measure_l2<store_and_load>("store and load in L2", (unsigned)sms, d_words, d_cycles);
    if (major >= 9) {
        measure_cluster("store within a cluster", (unsigned)sms, d_cycles);
    }
    CUDA_CHECK(cudaFree(d_words));
    CUDA_CHECK(cudaFree(d_cycles));
    return 0;
}
