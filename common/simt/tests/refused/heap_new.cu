// SPDX-License-Identifier: MIT
// REFUSED new in device code
__global__ void kernel(int **p)
{
    p[threadIdx.x] = new int[4]; // HERE
}

int main()
{
    return 0;
}
