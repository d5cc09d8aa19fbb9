// SPDX-License-Identifier: MIT
// REFUSED a tile of more than 32 threads
#include <cooperative_groups.h>

__global__ void kernel(int *p)
{
    const auto block = cooperative_groups::this_thread_block();
    const auto tile = cooperative_groups::tiled_partition<64>(block); // HERE
    p[threadIdx.x] = (int)tile.size();
}

int main()
{
    return 0;
}
