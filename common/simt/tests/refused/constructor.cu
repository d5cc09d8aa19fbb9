// SPDX-License-Identifier: MIT
// REFUSED a constructor of a __shared__ variable
struct counter {
    int value;
    __device__ counter() : value(0) {}
};

__global__ void kernel(int *p)
{
    __shared__ counter s_counter; // HERE
    p[threadIdx.x] = s_counter.value;
}

int main()
{
    return 0;
}
