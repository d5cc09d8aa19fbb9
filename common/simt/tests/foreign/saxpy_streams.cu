// SPDX-License-Identifier: MIT
//
// SAXPY in slices, each in its own stream: copy in, compute, copy out.
//
// COUNTS 4 global_ld_requests 256 (128 warps, x and y)
// COUNTS 4 global_st_sectors 512
#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans)                                                                             \
    {                                                                                              \
        gpuAssert((ans), __FILE__, __LINE__);                                                      \
    }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort)
            exit(code);
    }
}

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n)
        y[i] = a * x[i] + y[i];
}

int main()
{
    const int nStreams = 4, n = 1 << 14, streamSize = n / nStreams, blockSize = 256;
    const int streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
    float *x, *y, *d_x, *d_y;
    cudaStream_t stream[nStreams];

    gpuErrchk(cudaMallocHost((void **)&x, bytes));
    gpuErrchk(cudaMallocHost((void **)&y, bytes));
    gpuErrchk(cudaMalloc((void **)&d_x, bytes));
    gpuErrchk(cudaMalloc((void **)&d_y, bytes));
    for (int i = 0; i < n; ++i) {
        x[i] = (float)(i % 100);
        y[i] = (float)(i % 7);
    }
    for (int i = 0; i < nStreams; ++i)
        gpuErrchk(cudaStreamCreate(&stream[i]));

    for (int i = 0; i < nStreams; ++i) {
        const int offset = i * streamSize;
        gpuErrchk(cudaMemcpyAsync(&d_x[offset], &x[offset], streamBytes, cudaMemcpyHostToDevice,
                                  stream[i]));
        gpuErrchk(cudaMemcpyAsync(&d_y[offset], &y[offset], streamBytes, cudaMemcpyHostToDevice,
                                  stream[i]));
        saxpy<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(streamSize, 2.0f, &d_x[offset],
                                                                   &d_y[offset]);
        gpuErrchk(cudaPeekAtLastError());
        gpuErrchk(cudaMemcpyAsync(&y[offset], &d_y[offset], streamBytes, cudaMemcpyDeviceToHost,
                                  stream[i]));
    }
    gpuErrchk(cudaDeviceSynchronize());

    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += y[i] != 2.0f * (float)(i % 100) + (float)(i % 7);
    for (int i = 0; i < nStreams; ++i)
        gpuErrchk(cudaStreamDestroy(stream[i]));
    gpuErrchk(cudaFree(d_x));
    gpuErrchk(cudaFree(d_y));
    gpuErrchk(cudaFreeHost(x));
    gpuErrchk(cudaFreeHost(y));
    return wrong != 0;
}
