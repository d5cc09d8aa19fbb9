// SPDX-License-Identifier: MIT
// REFUSED __pipeline_memcpy_async
__global__ void copy_kernel(const float *in)
{
    __shared__ float s_data[32];
    __pipeline_memcpy_async(&s_data[threadIdx.x], &in[threadIdx.x], sizeof(float)); // HERE
}

int main()
{
    return 0;
}
