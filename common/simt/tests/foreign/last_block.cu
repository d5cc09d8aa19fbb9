// SPDX-License-Identifier: MIT
//
// One launch for a whole sum: the block that takes the last ticket adds what the others left. After
// the example of __threadfence() in the programming guide.
//
// COUNTS 1 global_ld_requests 333 (10000 / 32, rounded up, and 20 partial sums)
// COUNTS 1 atomic_requests 20
// COUNTS 2 global_st_requests 22 (20 partial sums, the total, the ticket)
// COUNTS 2 barriers 720 (20 blocks of 4 warps, 9 barriers)
#include <stdio.h>

__device__ unsigned int count = 0;

__device__ float calculatePartialSum(const float *array, int N)
{
    __shared__ float s[128];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        sum += array[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int d = blockDim.x >> 1; d; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    return s[0];
}

__device__ float calculateTotalSum(volatile float *result, int parts)
{
    float sum = 0;
    for (int i = 0; i < parts; i++)
        sum += result[i];
    return sum;
}

__global__ void sum(const float *array, int N, volatile float *result)
{
    __shared__ bool isLastBlockDone;
    float partialSum = calculatePartialSum(array, N);

    if (threadIdx.x == 0) {
        result[blockIdx.x] = partialSum;
        __threadfence();
        unsigned int value = atomicInc(&count, gridDim.x);
        isLastBlockDone = (value == (gridDim.x - 1));
    }
    __syncthreads();

    if (isLastBlockDone) {
        float totalSum = threadIdx.x == 0 ? calculateTotalSum(result, gridDim.x) : 0;
        if (threadIdx.x == 0) {
            result[0] = totalSum;
            count = 0;
        }
    }
}

int main(void)
{
    enum { N = 10000, BLOCKS = 20, THREADS = 128 };
    static float h[N];
    float *d, *d_result, result = 0, expected = 0;
    for (int i = 0; i < N; i++)
        expected += h[i] = (float)(i % 10);
    cudaMalloc((void **)&d, sizeof h);
    cudaMalloc((void **)&d_result, BLOCKS * sizeof(float));
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    for (int repeat = 0; repeat < 2; repeat++) { /* the ticket is zero again */
        sum<<<BLOCKS, THREADS>>>(d, N, d_result);
        cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
        if (result != expected) {
            printf("%g, not %g\n", result, expected);
            return 1;
        }
    }
    cudaFree(d);
    cudaFree(d_result);
    return 0;
}
