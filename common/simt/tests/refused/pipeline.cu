// SPDX-License-Identifier: MIT
// REFUSED __pipeline_arrive_on
#include <cuda_pipeline.h>

__global__ void copy_kernel(const float *in)
{
    __shared__ float s_data[32];
    __shared__ unsigned long long s_barrier;
    __pipeline_memcpy_async(&s_data[threadIdx.x], &in[threadIdx.x], sizeof(float));
    __pipeline_arrive_on(&s_barrier); // HERE
}

int main()
{
    return 0;
}
