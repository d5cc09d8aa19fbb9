// SPDX-License-Identifier: MIT
// REFUSED texture
#include <cuda_runtime.h>

texture<float, 1, cudaReadModeElementType> t; // HERE

__global__ void read_kernel(float *out)
{
    out[threadIdx.x] = tex1Dfetch(t, threadIdx.x);
}

int main()
{
    return 0;
}
