// SPDX-License-Identifier: MIT
//
// finish.cu - shows when each SM is done, if each gets an equal part of the input. finish.sh builds
// it and runs it.
//
// Idea          One block an SM, each with one stretch of the input. Thread 0 writes down the time
//               at which its block starts and ends. %globaltimer is one clock for all SMs.
// Needs: a GPU, whose clock it reads
#include "harness/cuda_check.h"

#define BLOCK_SIZE 1024
#define LOADS 4                           // in flight a thread: 64 KiB an SM
#define TILE ((size_t)BLOCK_SIZE * LOADS) // packs
#define LAUNCHES 5
#define MAX_SMS 1024

struct finish_t {
    unsigned sm;
    unsigned long long start, end; // ns
};

__device__ unsigned long long now()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

// Launch: one block an SM. Block b reads packs b * share to (b + 1) * share; share is a multiple of
// TILE.
__global__ void __launch_bounds__(BLOCK_SIZE)
    read_kernel(const float4 *d_in, size_t share, finish_t *d_finish, float *d_sums)
{
    const unsigned tid = threadIdx.x;
    const float4 *d_mine = d_in + blockIdx.x * share;
    const unsigned long long start = now();
    float sum = 0;
    for (size_t p = tid; p < share; p += LOADS * BLOCK_SIZE) {
        float4 pack[LOADS];
        for (unsigned j = 0; j < LOADS; j++) {
            pack[j] = d_mine[p + j * BLOCK_SIZE];
        }
        for (unsigned j = 0; j < LOADS; j++) {
            sum += pack[j].x + pack[j].y + pack[j].z + pack[j].w;
        }
    }
    d_sums[blockIdx.x * BLOCK_SIZE + tid] = sum; // so that the loads are not left out
    __syncthreads();                             // all threads have read their part
    if (tid == 0) {
        asm("mov.u32 %0, %%smid;" : "=r"(d_finish[blockIdx.x].sm));
        d_finish[blockIdx.x].start = start;
        d_finish[blockIdx.x].end = now();
    }
}

__global__ void fill_kernel(float *d_data, size_t n)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        d_data[i] = (float)(i % 1021) / 1021;
    }
}

// Prints a row for each SM, of the last of some launches.
static void print_rows(size_t n, unsigned sms)
{
    static finish_t finish[MAX_SMS];
    finish_t *d_finish;
    float *d_data, *d_sums;
    CUDA_CHECK(cudaMalloc(&d_data, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_sums, sms * BLOCK_SIZE * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_finish, sms * sizeof(finish_t)));
    const size_t share = n / 4 / sms / TILE * TILE; // up to a tile an SM is left out
    fill_kernel<<<8 * sms, BLOCK_SIZE>>>(d_data, n);
    for (int i = 0; i < LAUNCHES; i++) {
        read_kernel<<<sms, BLOCK_SIZE>>>((const float4 *)d_data, share, d_finish, d_sums);
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(finish, d_finish, sms * sizeof(finish_t), cudaMemcpyDeviceToHost));
    unsigned long long first = finish[0].start;
    for (unsigned b = 1; b < sms; b++) {
        first = finish[b].start < first ? finish[b].start : first;
    }
    for (unsigned b = 0; b < sms; b++) {
        printf("%zu,%u,%llu,%llu\n", n, finish[b].sm, finish[b].start - first,
               finish[b].end - first);
    }
    CUDA_CHECK(cudaFree(d_data));
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaFree(d_finish));
}

int main()
{
    int sms = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    if (sms > MAX_SMS) {
        fprintf(stderr, "finish: this GPU has %d SMs; there is room for %d\n", sms, MAX_SMS);
        return 1;
    }
    printf("n,sm,start_ns,end_ns\n");
    print_rows((size_t)1 << 26, (unsigned)sms);
    print_rows((size_t)1 << 28, (unsigned)sms);
    print_rows((size_t)1 << 30, (unsigned)sms);
    return 0;
}
