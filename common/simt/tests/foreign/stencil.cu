// SPDX-License-Identifier: MIT
//
// One-dimensional stencil with a halo on both sides of the block, after the classic slides.
//
// COUNTS 1 global_ld_requests 192 (32 blocks of 4 warps, and 2 halos each)
// COUNTS 1 shared_ld_wavefronts 896 (128 warps, 7 loads without a conflict)
// COUNTS 1 shared_st_requests 192
// COUNTS 1 barriers 128
#include <iostream>

using std::cout;
using std::endl;

#define N 4096
#define RADIUS 3
#define BLOCKSIZE 128

__global__ void stencil_1d(int *in, int *out)
{
    __shared__ int temp[BLOCKSIZE + 2 * RADIUS];
    int gindex = threadIdx.x + (blockIdx.x * blockDim.x) + RADIUS;
    int lindex = threadIdx.x + RADIUS;

    // Read input elements into shared memory
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCKSIZE] = in[gindex + BLOCKSIZE];
    }
    __syncthreads();

    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];
    out[gindex - RADIUS] = result;
}

int main()
{
    int *h_in = new int[N + 2 * RADIUS], *h_out = new int[N];
    for (int i = 0; i < N + 2 * RADIUS; i++)
        h_in[i] = i % 5;

    int *d_in, *d_out;
    cudaMalloc((void **)&d_in, (N + 2 * RADIUS) * sizeof(int));
    cudaMalloc((void **)&d_out, N * sizeof(int));
    cudaMemcpy(d_in, h_in, (N + 2 * RADIUS) * sizeof(int), cudaMemcpyHostToDevice);
    stencil_1d<<<(N + BLOCKSIZE - 1) / BLOCKSIZE, BLOCKSIZE>>>(d_in, d_out);
    cudaMemcpy(h_out, d_out, N * sizeof(int), cudaMemcpyDeviceToHost);

    int errors = 0;
    for (int i = 0; i < N; ++i) {
        int expected = 0;
        for (int j = 0; j <= 2 * RADIUS; ++j)
            expected += h_in[i + j];
        if (h_out[i] != expected && errors++ < 5)
            cout << "h_out[" << i << "] is " << h_out[i] << ", not " << expected << endl;
    }
    delete[] h_in;
    delete[] h_out;
    cudaFree(d_in);
    cudaFree(d_out);
    return errors != 0;
}
