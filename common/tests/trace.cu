// SPDX-License-Identifier: MIT
//
// trace.cu - what the lessons' kernels do not do, for trace.sh: a 2D array, a half warp, atomics, a
// vote, a shuffle of doubles. Then a loop that is longer than a trace, and a skipped barrier.
#include <stdio.h>

__global__ void all_kinds(int *d_out)
{
    __shared__ int s_tile[4][33];
    const unsigned tid = threadIdx.x, lane = tid % 32;
    s_tile[tid / 32][lane] = (int)tid;
    if (tid == 0) {
        s_tile[3][1] = 0;
    }
    __syncthreads();
    atomicAdd(&s_tile[3][1], 1);
    const unsigned mask = tid < 32 ? 0xffffffff : 0x0000ffff;
    const unsigned odd = __ballot_sync(mask, tid % 2);
    const double half = __shfl_down_sync(mask, tid / 2.0, 8, 16);
    __syncwarp(mask);
    d_out[tid] = s_tile[0][31 - lane] + (int)half + (int)odd;
}

__global__ void skips(int *d_out)
{
    if (threadIdx.x < 32) {
        __syncthreads();
    }
    d_out[threadIdx.x] = 1;
}

__global__ void long_loop(int *d_out)
{
    for (int i = 0; i < 70000; i++) {
        atomicAdd(d_out, 1);
    }
}

int main(void)
{
    int *d_out;
    cudaMalloc(&d_out, 64 * sizeof *d_out);
    all_kinds<<<1, 48>>>(d_out);
    long_loop<<<1, 1>>>(d_out);
    skips<<<1, 64>>>(d_out);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(d_out);
    return error != cudaSuccess;
}
