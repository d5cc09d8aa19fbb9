// SPDX-License-Identifier: MIT
//
// atomic.cu - blocks that meet by atomics: the first one waits for the last.
#include "check.h"
#include "simt/inspect.h"

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
    unsigned *u = managed<unsigned>(2), *order = managed<unsigned>(4);
    u[0] = u[1] = 0;
    simt_blocks_take_turns(8192);
    waits_for_last<<<4, 32>>>(u, order);
    CHECK(cudaDeviceSynchronize());
    simt_blocks_take_turns(0);
    EXPECT(u[0] == 4 && order[3] == 0 && order[2] == 1 && order[0] == 3);
    simt_break_off(1);
    waits_for_last<<<4, 32>>>(u, order);
    CHECK(cudaDeviceSynchronize());
    simt_break_off(0);
    EXPECT(u[0] == 6 && order[1] == 5 && order[2] == 1);
    return 0;
}
