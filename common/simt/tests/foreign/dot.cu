// SPDX-License-Identifier: MIT
//
// Dot product in double, in the style of "CUDA by Example": a cache in shared memory, the last sum
// on the host.
//
// COUNTS 1 global_ld_requests 528 (8448 / 32 pairs)
// COUNTS 1 global_ld_sectors 4224 (32 doubles are 8 sectors)
// COUNTS 1 shared_ld_requests 800 (32 blocks: 12 warps of the tree, 2 loads each, and the result)
// COUNTS 1 shared_st_requests 640 (32 blocks: 8 warps, and the 12)
// COUNTS 1 barriers 2304 (32 blocks of 8 warps, 9 barriers)
#include <cstdio>
#include <cstdlib>

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define imin(a, b) (a < b ? a : b)

const int N = 33 * 256;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

__global__ void dot(double *a, double *b, double *c)
{
    __shared__ double cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

int main(void)
{
    double *a = (double *)malloc(N * sizeof(double));
    double *b = (double *)malloc(N * sizeof(double));
    double *partial_c = (double *)malloc(blocksPerGrid * sizeof(double));
    double *dev_a, *dev_b, *dev_partial_c;
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(double)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(double)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_partial_c, blocksPerGrid * sizeof(double)));
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = i * 2;
    }
    HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(double), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(double), cudaMemcpyHostToDevice));
    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);
    HANDLE_ERROR(cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(double),
                            cudaMemcpyDeviceToHost));
    double c = 0;
    for (int i = 0; i < blocksPerGrid; i++)
        c += partial_c[i];

#define sum_squares(x) (x * (x + 1) * (2 * x + 1) / 6)
    const double expected = 2 * sum_squares((double)(N - 1));
    printf("GPU value %.6g, expected %.6g\n", c, expected);
    HANDLE_ERROR(cudaFree(dev_a));
    HANDLE_ERROR(cudaFree(dev_b));
    HANDLE_ERROR(cudaFree(dev_partial_c));
    free(a);
    free(b);
    free(partial_c);
    return c == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
