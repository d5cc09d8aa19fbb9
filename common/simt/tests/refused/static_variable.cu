// SPDX-License-Identifier: MIT
// REFUSED a static variable in device code
__global__ void kernel(int *p)
{
    static int calls; // HERE
    p[threadIdx.x] = calls;
}

int main()
{
    return 0;
}
