// SPDX-License-Identifier: MIT
// REFUSED malloc in device code
__global__ void kernel(int **p)
{
    p[threadIdx.x] = (int *)malloc(sizeof(int)); // HERE
}

int main()
{
    return 0;
}
