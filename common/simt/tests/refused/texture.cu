// SPDX-License-Identifier: MIT
// REFUSED cudaTextureObject_t
#include <cuda_runtime.h>

__global__ void read_kernel(cudaTextureObject_t t, float *out) // HERE
{
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

int main()
{
    return 0;
}
