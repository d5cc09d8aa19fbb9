// SPDX-License-Identifier: MIT
//
// memory.cu - the levels of a GPU's memory: size, cycles of a load, GB/s. memory.sh builds it and
// runs it.
//
// Idea          One thread follows a chain of indices, so that each load waits for the one before:
//               that is the time of a load. And all threads read an array again and again, 16 bytes
//               a lane. How long chain and array are decides which level answers.
// Needs: a GPU, whose clock it reads
#include "harness/cuda_check.h"

#include <utility>
#include <vector>

#define BLOCK_SIZE 1024
#define LINE 32 // words between two links of the chain: 128 bytes
#define SHARED_WORDS 4096
#define LOADS 16384                  // that are timed
#define BYTES_READ ((size_t)1 << 35) // that are timed

static __device__ unsigned follow(const unsigned *next, unsigned at, size_t loads)
{
    for (size_t k = 0; k < loads; k++) {
        at = next[at];
    }
    return at;
}

// Launch: one thread. d_next: `links` links, LINE words apart, in one circle. After a lap all that
// fits a cache is there. *d_end: so that no load is left out. A chain in shared memory is copied.
template <bool SHARED>
__global__ void chain_kernel(const unsigned *d_next, size_t links, unsigned *d_end,
                             unsigned *d_cycles)
{
    __shared__ unsigned s_next[SHARED_WORDS];
    for (unsigned k = 0; SHARED && k < SHARED_WORDS; k++) {
        s_next[k] = d_next[k];
    }
    const unsigned *next = SHARED ? s_next : d_next;
    const unsigned at = follow(next, 0, links);
    const long long start = clock64();
    *d_end = follow(next, at, LOADS);
    *d_cycles = (unsigned)((clock64() - start) / LOADS);
}

// Launch: all threads that the GPU holds. Reads packs of 16 bytes, laps times; PAST_L1: they come
// from L2 or beyond. d_sums: a float for each thread.
template <bool PAST_L1>
__global__ void read_kernel(const float4 *d_in, size_t packs, size_t laps, float *d_sums)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_SIZE + threadIdx.x;
    const size_t threads = (size_t)gridDim.x * BLOCK_SIZE;
    float sum = 0;
    for (size_t lap = 0; lap < laps; lap++) {
        for (size_t p = i; p < packs; p += threads) {
            const float4 pack = PAST_L1 ? __ldcg(&d_in[p]) : d_in[p];
            sum += pack.x + pack.y + pack.z + pack.w;
        }
    }
    d_sums[i] = sum;
}

// Cycles of a load in a chain of so many bytes, whose links are in a random order.
template <bool SHARED>
static unsigned cycles_of(size_t bytes)
{
    const size_t links = bytes / sizeof(unsigned) / LINE;
    std::vector<unsigned> order(links), next(links * LINE);
    for (size_t k = 0; k < links; k++) {
        order[k] = (unsigned)(k * LINE);
    }
    unsigned long long random = 1;
    for (size_t k = links - 1; k > 0; k--) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        std::swap(order[k], order[(random >> 33) % (k + 1)]);
    }
    for (size_t k = 0; k < links; k++) {
        next[order[k]] = order[(k + 1) % links];
    }
    unsigned *d_next, *d_result, cycles;
    CUDA_CHECK(cudaMalloc(&d_next, bytes));
    CUDA_CHECK(cudaMalloc(&d_result, 2 * sizeof(unsigned)));
    CUDA_CHECK(cudaMemcpy(d_next, next.data(), bytes, cudaMemcpyHostToDevice));
    chain_kernel<SHARED><<<1, 1>>>(d_next, links, d_result, d_result + 1);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&cycles, d_result + 1, sizeof cycles, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_next));
    CUDA_CHECK(cudaFree(d_result));
    return cycles;
}

// GB/s of all threads from an array of so many bytes.
template <bool PAST_L1>
static double gbps_of(size_t bytes, unsigned blocks)
{
    const size_t packs = bytes / sizeof(float4), laps = BYTES_READ / bytes + 1;
    float4 *d_in;
    float *d_sums, ms = 0;
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaMalloc(&d_in, bytes));
    CUDA_CHECK(cudaMalloc(&d_sums, (size_t)blocks * BLOCK_SIZE * sizeof(float)));
    CUDA_CHECK(cudaMemset(d_in, 0, bytes));
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    read_kernel<PAST_L1><<<blocks, BLOCK_SIZE>>>(d_in, packs, laps, d_sums); // the clock rises
    CUDA_CHECK(cudaEventRecord(start, 0));
    read_kernel<PAST_L1><<<blocks, BLOCK_SIZE>>>(d_in, packs, laps, d_sums);
    CUDA_CHECK(cudaEventRecord(stop, 0));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_sums));
    return (double)(packs * sizeof(float4)) * (double)laps / ms / 1e6;
}

int main()
{
    cudaDeviceProp device;
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    const size_t sms = (size_t)device.multiProcessorCount;
    const unsigned blocks = (unsigned)sms * (device.maxThreadsPerMultiProcessor / BLOCK_SIZE);
    const size_t l2 = (size_t)device.l2CacheSize, large = (size_t)1 << 28;
    const size_t small = sms << 16; // 64 KiB on each SM, which L1 can hold
    printf("level,bytes,cycles,gbps\n");
    printf("registers,%zu,,\n", sms * device.regsPerMultiprocessor * sizeof(unsigned));
    printf("shared memory,%zu,%u,\n", sms * device.sharedMemPerMultiprocessor,
           cycles_of<true>(SHARED_WORDS * sizeof(unsigned)));
    printf("L1,,%u,%.0f\n", cycles_of<false>((size_t)1 << 14), gbps_of<false>(small, blocks));
    printf("L2,%zu,%u,%.0f\n", l2, cycles_of<false>(l2 / 4), gbps_of<true>(l2 / 2, blocks));
    printf("memory,%zu,%u,%.0f\n", device.totalGlobalMem, cycles_of<false>(large),
           gbps_of<true>(large, blocks));
    return 0;
}
