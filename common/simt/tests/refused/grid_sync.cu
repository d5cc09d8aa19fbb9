// SPDX-License-Identifier: MIT
// REFUSED cooperative_groups::this_grid
#include <cooperative_groups.h>

__global__ void grid_kernel(int *p)
{
    p[threadIdx.x] = 1;
    cooperative_groups::this_grid().sync(); // HERE
}

int main()
{
    return 0;
}
