// SPDX-License-Identifier: MIT
// REFUSED __nv_fp8_e4m3
#include <cuda_fp8.h>

__global__ void narrow(__nv_fp8_e4m3 *out) // HERE
{
    out[threadIdx.x] = {};
}

int main()
{
    narrow<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
