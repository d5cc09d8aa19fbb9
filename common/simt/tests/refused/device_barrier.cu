// SPDX-License-Identifier: MIT
// REFUSED a cuda::barrier of more than a block
#include <cuda/barrier>

__global__ void wait_kernel(int *p)
{
    __shared__ cuda::barrier<cuda::thread_scope_device> s_bar; // HERE
    s_bar.arrive_and_wait();
    p[threadIdx.x] = 1;
}

int main()
{
    return 0;
}
