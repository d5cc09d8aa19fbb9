// SPDX-License-Identifier: MIT
// For docs/ERRATA.md: cudaPeekAtLastError() leaves an error in place, cudaGetLastError() clears it.
#include <cstdio>

__global__ void kernel() {}

static void print(const char *what, cudaError_t error)
{
    printf("%-18s %s\n", what, error == cudaSuccess ? "no error" : "an error");
}

int main()
{
    kernel<<<1, 2000>>>(); // a block has at most 1024 threads
    print("2000 threads, peek", cudaPeekAtLastError());
    kernel<<<1, 256>>>();
    print("256 threads, peek", cudaPeekAtLastError());
    kernel<<<1, 256>>>();
    print("256 threads, get", cudaGetLastError());
    kernel<<<1, 256>>>();
    print("256 threads, get", cudaGetLastError());
    return cudaDeviceSynchronize() != cudaSuccess;
}
