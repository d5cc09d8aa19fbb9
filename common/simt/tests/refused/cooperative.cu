// SPDX-License-Identifier: MIT
// REFUSED cudaLaunchCooperativeKernel
__global__ void kernel(int *p)
{
    p[threadIdx.x] = 1;
}

int main()
{
    int *p = nullptr;
    void *args[] = {&p};
    cudaLaunchCooperativeKernel((void *)kernel, 1, 32, args); // HERE
    return 0;
}
