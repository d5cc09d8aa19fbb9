// SPDX-License-Identifier: MIT
// REFUSED asm
__global__ void lane_kernel(unsigned *out)
{
    unsigned lane;
    asm volatile("activemask.b32 %0;" : "=r"(lane)); // HERE
    out[threadIdx.x] = lane;
}

int main()
{
    return 0;
}
