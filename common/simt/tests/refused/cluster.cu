// SPDX-License-Identifier: MIT
// REFUSED __cluster_dims__
__global__ void __cluster_dims__(2, 1, 1) cluster_kernel(int *p) // HERE
{
    p[threadIdx.x] = 1;
}

int main()
{
    return 0;
}
