// SPDX-License-Identifier: MIT
//
// start.cu - the first kernel: doubles 1000 numbers on the device. A whole program:
//
//   make start                          in the course's folder, with or without a GPU
//   nvcc start.cu -o start && ./start   with a GPU, without make
#include <stdio.h>
#include <stdlib.h>

// Every CUDA call returns cudaSuccess or an error. CHECK(call) ends the program at an error.
#define CHECK(call) check(call, #call, __LINE__)

static void check(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(error));
        exit(1);
    }
}

// The kernel. Each thread runs it once, for its own element.
__global__ void double_all(float *d_x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_x[i] = 2.0f * d_x[i];
    }
}

int main(void)
{
    int n = 1000;
    size_t bytes = n * sizeof(float);
    float *h_x = (float *)malloc(bytes); // h_: in the memory of the host
    float *d_x = NULL;                   // d_: in the memory of the device
    if (h_x == NULL) {
        return 1;
    }
    for (int i = 0; i < n; i++) {
        h_x[i] = (float)i;
    }

    // Memory on the device, the copy there, the work, and the copy back.
    int threads = 256;
    int blocks = (n + threads - 1) / threads; // rounded up, so that no element is left out
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    double_all<<<blocks, threads>>>(d_x, n);
    CHECK(cudaGetLastError());      // did the kernel start?
    CHECK(cudaDeviceSynchronize()); // the wait: did it end well?
    CHECK(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));

    int wrong = 0;
    for (int i = 0; i < n; i++) {
        if (h_x[i] != 2.0f * (float)i) {
            wrong++;
        }
    }
    printf("%d elements, %d blocks of %d threads\n", n, blocks, threads);
    printf("the first is %g, the last is %g, %d are wrong\n", h_x[0], h_x[n - 1], wrong);
    free(h_x);
    return wrong == 0 ? 0 : 1;
}
