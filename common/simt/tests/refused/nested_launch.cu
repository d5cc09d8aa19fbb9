// SPDX-License-Identifier: MIT
// REFUSED a kernel launch in device code
__global__ void child(int *p)
{
    p[threadIdx.x] = 1;
}

__global__ void parent(int *p)
{
    if (threadIdx.x == 0)
        child<<<1, 32>>>(p); // HERE
}

int main()
{
    parent<<<1, 1>>>(nullptr);
    return 0;
}
