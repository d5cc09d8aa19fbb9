// SPDX-License-Identifier: MIT
// REFUSED cudaLaunchKernel of a void pointer
__global__ void kernel(int *p)
{
    p[threadIdx.x] = 1;
}

int main()
{
    int *p = nullptr;
    void *args[] = {&p};
    const void *function = (const void *)kernel;
    cudaLaunchKernel(function, dim3(1), dim3(32), args, 0, nullptr); // HERE
    return 0;
}
