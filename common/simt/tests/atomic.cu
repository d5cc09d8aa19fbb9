// SPDX-License-Identifier: MIT
//
// atomic.cu - blocks that meet by atomics: the first one waits for the last, and some are overtaken
// between a ticket and its use.
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

// Blocks take tickets, and look once whether the one of the ticket before has left its mark. The
// warps of a block come to a counter of their own.
__global__ void looks_once(unsigned *ticket, unsigned *mark, unsigned *missed, unsigned *first_warp)
{
    __shared__ unsigned s_warps, s_ticket;
    if (threadIdx.x == 0) {
        s_warps = 0;
        s_ticket = atomicAdd(ticket, 1);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0 && atomicAdd(&s_warps, 1) == 0)
        *first_warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        if (s_ticket > 0 && atomicAdd(&mark[s_ticket - 1], 0) == 0)
            atomicAdd(missed, 1);
        atomicExch(&mark[s_ticket], 1);
    }
}

static void test_overtaking()
{
    for (unsigned turns = 0; turns < 2; turns++) {
        unsigned *u = managed<unsigned>(2), *mark = managed<unsigned>(6),
                 *warp = managed<unsigned>(1);
        u[0] = u[1] = 0;
        memset(mark, 0, 6 * sizeof *mark);
        simt_blocks_take_turns(turns ? 8192 : 0);
        looks_once<<<6, 64>>>(u, mark, u + 1, warp);
        CHECK(cudaDeviceSynchronize());
        simt_blocks_take_turns(0);
        EXPECT(u[0] == 6 && (u[1] > 0) == (turns == 1) && *warp == turns);
    }
}

int main()
{
    test_overtaking();
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
