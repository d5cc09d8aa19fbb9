// SPDX-License-Identifier: MIT
//
// atomic.cu - blocks that meet by atomics: the last one finishes the job, the first waits for it.
#include "check.h"
#include "simt/inspect.h"

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
    unsigned *u = managed<unsigned>(2);
    int *in = managed<int>(1024), *partial = managed<int>(8), *out = managed<int>(1);
    for (int k = 0; k < 1024; k++)
        in[k] = k;
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
