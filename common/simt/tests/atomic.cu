// SPDX-License-Identifier: MIT
//
// atomic.cu - atomics on shared and global memory, and the last block that finishes the job.
#include "check.h"
#include "simt/inspect.h"

__global__ void all_kinds(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    const int tid = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(i + 0, tid);
    atomicMax(i + 1, tid);
    atomicMin(i + 2, -tid);
    atomicOr(u + 0, 1u << tid % 32);
    atomicAnd(u + 1, ~(1u << tid % 31));
    atomicInc(u + 2, 9);
    atomicSub(u + 3, 1);
    atomicAdd(l, 1ull << 33);
    atomicAdd(f, 1.0f);
    atomicAdd(d, 0.5);
    for (int old = *(volatile int *)(i + 3);;) {
        const int seen = atomicCAS(i + 3, old, old + 2);
        if (seen == old)
            break;
        old = seen;
    }
}

// Each block leaves a partial sum; the one that gets the last ticket adds them up.
__global__ void ticket(const int *in, int *partial, unsigned *count, int *out)
{
    __shared__ int s_sum;
    __shared__ bool s_last;
    const unsigned tid = threadIdx.x;
    if (tid == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, in[blockIdx.x * blockDim.x + tid]);
    __syncthreads();
    if (tid == 0) {
        partial[blockIdx.x] = s_sum;
        __threadfence();
        s_last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && tid == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += partial[b];
        *out = sum;
    }
}

// The first block waits for the last one, which reaches the counter first.
__global__ void waits_for_last(unsigned *count, unsigned *order)
{
    __shared__ unsigned s_block[32]; // each block has its own
    s_block[threadIdx.x] = blockIdx.x;
    if (blockIdx.x == 0)
        while (atomicAdd(&count[1], 0) == 0) {
        }
    __syncthreads();
    if (threadIdx.x == 0)
        order[s_block[31]] = atomicAdd(&count[0], 1);
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
        atomicExch(&count[1], 1);
}

int main()
{
    constexpr int THREADS = 3 * 96;
    int *i, h_i[4] = {};
    unsigned *u, h_u[4] = {0, ~0u, 0, 1000};
    unsigned long long *l, h_l = 0;
    float *f, h_f = 0;
    double *d, h_d = 0;
    CHECK(cudaMallocManaged(&i, sizeof h_i));
    CHECK(cudaMallocManaged(&u, sizeof h_u));
    CHECK(cudaMallocManaged(&l, sizeof h_l));
    CHECK(cudaMallocManaged(&f, sizeof h_f));
    CHECK(cudaMallocManaged(&d, sizeof h_d));
    for (int k = 0; k < 4; k++) {
        i[k] = h_i[k];
        u[k] = h_u[k];
    }
    *l = 0, *f = 0, *d = 0;
    all_kinds<<<3, 96>>>(i, u, l, f, d);
    CHECK(cudaDeviceSynchronize());
    EXPECT(i[0] == THREADS * (THREADS - 1) / 2);
    EXPECT(i[1] == THREADS - 1);
    EXPECT(i[2] == 1 - THREADS);
    EXPECT(i[3] == 2 * THREADS);
    EXPECT(u[0] == ~0u);
    EXPECT(u[1] == 1u << 31);
    EXPECT(u[2] == (unsigned)(THREADS % 10));
    EXPECT(u[3] == (unsigned)(1000 - THREADS));
    EXPECT(*l == (unsigned long long)THREADS << 33);
    EXPECT(*f == THREADS);
    EXPECT(*d == THREADS / 2);

    int *in, *partial, *out;
    CHECK(cudaMallocManaged(&in, 1024 * sizeof(int)));
    CHECK(cudaMallocManaged(&partial, 8 * sizeof(int)));
    CHECK(cudaMallocManaged(&out, sizeof(int)));
    for (int k = 0; k < 1024; k++)
        in[k] = k;
    u[0] = 0;
    ticket<<<8, 128>>>(in, partial, u, out);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*out == 1023 * 1024 / 2);

    u[0] = u[1] = 0;
    simt_blocks_take_turns(8192);
    waits_for_last<<<4, 32>>>(u, (unsigned *)partial);
    CHECK(cudaDeviceSynchronize());
    simt_blocks_take_turns(0);
    EXPECT(u[0] == 4 && partial[3] == 0 && partial[2] == 1 && partial[0] == 3);
    simt_break_off(1);
    waits_for_last<<<4, 32>>>(u, (unsigned *)partial);
    CHECK(cudaDeviceSynchronize());
    simt_break_off(0);
    EXPECT(u[0] == 6 && partial[1] == 5 && partial[2] == 1);
    return 0;
}
