// SPDX-License-Identifier: MIT
//
// subset_groups.cu - cooperative groups: the block, tiles, the active lanes, reductions.
#include "device_check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void block_kernel(int *out)
{
    __shared__ int s_values[128];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    TRUE(rank == threadIdx.x + blockDim.x * threadIdx.y && block.size() == 128);
    TRUE(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    s_values[rank] = (int)rank;
    block.sync();
    out[rank] = s_values[127 - rank];
    cg::sync(block);
}

template <unsigned N>
__device__ void check_tile(const cg::thread_block &block)
{
    const cg::thread_block_tile<N> tile = cg::tiled_partition<N>(block);
    const int rank = (int)tile.thread_rank(), first = (int)(block.thread_rank() / N * N);
    const int mine = (int)block.thread_rank();
    TRUE(tile.size() == N && tile.meta_group_rank() == block.thread_rank() / N);
    TRUE(tile.meta_group_size() == block.size() / N);
    TRUE(tile.shfl(mine, 0) == first && tile.shfl_xor(mine, N / 2) == (mine ^ (int)(N / 2)));
    TRUE(tile.shfl_down(mine, 1) == (rank + 1 < (int)N ? mine + 1 : mine));
    TRUE(tile.shfl_up(mine, 1) == (rank > 0 ? mine - 1 : mine));
    TRUE(tile.any(rank == 0) && !tile.all(rank == 0));
    TRUE(tile.ballot(rank == (int)N - 1) == 1u << (N - 1));
    tile.sync();
    const int ranks = (int)(N * (N - 1) / 2);
    TRUE(cg::reduce(tile, rank, cg::plus<int>()) == ranks);
    TRUE(cg::reduce(tile, (double)rank, cg::plus<double>()) == ranks);
    TRUE(cg::reduce(tile, mine, cg::less<int>()) == first);
    TRUE(cg::reduce(tile, (float)rank, cg::greater<float>()) == (float)(N - 1));
    TRUE(cg::inclusive_scan(tile, 1) == rank + 1);
    TRUE(cg::exclusive_scan(tile, 2, cg::plus<int>()) == 2 * rank);
}

__global__ void tile_kernel()
{
    const cg::thread_block block = cg::this_thread_block();
    check_tile<32>(block);
    check_tile<16>(block);
    check_tile<8>(block);
    check_tile<4>(block);
    check_tile<2>(block);
}

// Groups of lanes with equal values, and tiles of any lanes.
__global__ void partition_kernel()
{
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned lane = warp.thread_rank();
    const cg::coalesced_group third = cg::labeled_partition(warp, lane % 3);
    TRUE(third.size() == (lane % 3 == 2 ? 10u : 11u) && third.thread_rank() == lane / 3);
    TRUE(third.meta_group_rank() == lane % 3 && third.meta_group_size() == 3);
    TRUE(third.shfl((int)lane, 1) == (int)(lane % 3 + 3));
    const cg::coalesced_group low = cg::binary_partition(warp, lane < 5);
    TRUE(low.size() == (lane < 5 ? 5u : 27u) && low.meta_group_rank() == (lane < 5));
    TRUE(cg::binary_partition(warp, true).size() == 32);
    const cg::coalesced_group four = cg::tiled_partition<4>(third),
                              same = cg::tiled_partition(third, 4);
    TRUE(four.thread_rank() == lane / 3 % 4 && four.meta_group_rank() == lane / 3 / 4);
    TRUE(four.mask() == same.mask() && four.shfl((int)lane, 0) == (int)(lane / 12 * 12 + lane % 3));
}

// One atomic for all active lanes, as in the blog post about warp aggregation.
__global__ void aggregate_kernel(int *count)
{
    if (threadIdx.x % 3 == 0) {
        const cg::coalesced_group here = cg::coalesced_threads();
        TRUE(here.size() == (threadIdx.x < 32 ? 11u : threadIdx.x < 64 ? 11u : 10u));
        int before = 0;
        if (here.thread_rank() == 0)
            before = atomicAdd(count, (int)here.size());
        before = here.shfl(before, 0) + (int)here.thread_rank();
        TRUE(before >= 0 && before < 32);
        TRUE(here.all(1) && !here.any(0));
        here.sync();
    }
}

// Any group will do, the oldest style.
__device__ int sum_of(cg::thread_group g, int *s_temp, int value)
{
    const unsigned rank = g.thread_rank();
    for (unsigned i = g.size() / 2; i > 0; i /= 2) {
        s_temp[rank] = value;
        g.sync();
        if (rank < i)
            value += s_temp[rank + i];
        g.sync();
    }
    return value;
}

__global__ void any_group_kernel(int *out)
{
    __shared__ int s_temp[64];
    const cg::thread_block block = cg::this_thread_block();
    const int whole = sum_of(block, s_temp, (int)threadIdx.x);
    block.sync();
    const cg::thread_group tile = cg::tiled_partition(block, 16);
    const int part = sum_of(tile, s_temp + threadIdx.x / 16 * 16, (int)threadIdx.x);
    if (threadIdx.x == 0)
        out[0] = whole;
    if (tile.thread_rank() == 0)
        out[1 + threadIdx.x / 16] = part;
}

int main()
{
    int *d_out, h_out[128];
    CHECK(cudaMalloc(&d_out, sizeof h_out));
    block_kernel<<<1, dim3(16, 8)>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    EXPECT(h_out[0] == 127 && h_out[100] == 27);
    tile_kernel<<<1, 128>>>();
    partition_kernel<<<1, 64>>>();
    CHECK(cudaMemset(d_out, 0, sizeof h_out));
    aggregate_kernel<<<1, 96>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    EXPECT(h_out[0] == 32);
    any_group_kernel<<<1, 64>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    EXPECT(h_out[0] == 2016 && h_out[1] == 120 && h_out[4] == 888);
    CHECK(cudaFree(d_out));
    return failed_line(__FILE__);
}
