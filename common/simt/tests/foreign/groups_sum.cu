// SPDX-License-Identifier: MIT
//
// Sum with cooperative groups: tiles of 32 and of 8 threads, vector loads.
//
// COUNTS 1 shuffles 320 (64 warps, 5 steps)
// COUNTS 1 global_ld_sectors 1024 (64 requests of 512 bytes)
// COUNTS 2 shuffles 192 (64 warps, 3 steps for tiles of 8)
// COUNTS 2 atomic_requests 64 (the first lanes of 4 tiles together)
// COUNTS 3 shuffles 360 (64 warps and 8 last ones, 5 steps)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

template <int tile_sz>
__device__ int reduce_sum_tile_shfl(cg::thread_block_tile<tile_sz> g, int val)
{
    for (int i = g.size() / 2; i > 0; i /= 2)
        val += g.shfl_down(val, i);
    return val; // only lane 0 has the whole sum
}

__device__ int thread_sum(int *input, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
        int4 in = ((int4 *)input)[i];
        sum += in.x + in.y + in.z + in.w;
    }
    return sum;
}

template <int tile_sz>
__global__ void sum_kernel_tile_shfl(int *sum, int *input, int n)
{
    int my_sum = thread_sum(input, n);
    auto tile = cg::tiled_partition<tile_sz>(cg::this_thread_block());
    int tile_sum = reduce_sum_tile_shfl<tile_sz>(tile, my_sum);
    if (tile.thread_rank() == 0)
        atomicAdd(sum, tile_sum);
}

__global__ void sum_kernel_reduce(int *sum, int *input, int n)
{
    __shared__ float warp_sums[8];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    float total = cg::reduce(warp, (float)thread_sum(input, n), cg::plus<float>());
    if (warp.thread_rank() == 0)
        warp_sums[warp.meta_group_rank()] = total;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        float v = warp.thread_rank() < 8 ? warp_sums[warp.thread_rank()] : 0.0f;
        total = cg::reduce(warp, v, cg::plus<float>());
        if (warp.thread_rank() == 0)
            atomicAdd(sum, (int)total);
    }
}

int main()
{
    int n = 1 << 13, blockSize = 256, nBlocks = (n / 4 + blockSize - 1) / blockSize;
    std::vector<int> data(n);
    std::iota(data.begin(), data.end(), -1000);
    for (int &v : data)
        v %= 100;
    const int expected = std::accumulate(data.begin(), data.end(), 0);

    int *d_sum, *d_data, sums[3];
    cudaMalloc(&d_sum, sizeof(sums));
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMemset(d_sum, 0, sizeof(sums));
    cudaMemcpy(d_data, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_kernel_tile_shfl<32><<<nBlocks, blockSize>>>(d_sum, d_data, n);
    sum_kernel_tile_shfl<8><<<nBlocks, blockSize>>>(d_sum + 1, d_data, n);
    sum_kernel_reduce<<<nBlocks, blockSize>>>(d_sum + 2, d_data, n);
    cudaMemcpy(sums, d_sum, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaFree(d_sum);
    cudaFree(d_data);
    for (int sum : sums)
        if (sum != expected) {
            std::printf("%d, not %d\n", sum, expected);
            return 1;
        }
    return 0;
}
