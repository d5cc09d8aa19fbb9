// SPDX-License-Identifier: MIT
//
// The Mandelbrot set: a structure with operators in device code, lanes that leave a loop early.
//
// COUNTS 1 global_st_requests 128 (64 x 64 / 32)
// COUNTS 1 global_st_sectors 256 (a warp is 2 rows of 16 bytes)
#include <cstdio>

struct cuComplexNumber {
    float r, i;
    __host__ __device__ cuComplexNumber(float a, float b) : r(a), i(b) {}
    __host__ __device__ float magnitude2() const { return r * r + i * i; }
    __host__ __device__ cuComplexNumber operator*(const cuComplexNumber &a) const
    {
        return cuComplexNumber(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __host__ __device__ cuComplexNumber operator+(const cuComplexNumber &a) const
    {
        return cuComplexNumber(r + a.r, i + a.i);
    }
};

#define DIM 64
#define MAX_ITER 50

__global__ void kernel(unsigned char *ptr)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int offset = x + y * blockDim.x * gridDim.x;

    cuComplexNumber c(-2.0f + 3.0f * (float)x / DIM, -1.5f + 3.0f * (float)y / DIM);
    cuComplexNumber z(0, 0);
    int n = 0;
    while (n < MAX_ITER && z.magnitude2() <= 4.0f) {
        z = z * z + c;
        n++;
    }
    ptr[offset] = (unsigned char)n;
}

int main()
{
    static unsigned char image[DIM * DIM];
    unsigned char *d_image;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    if (cudaMalloc((void **)&d_image, sizeof(image)) != cudaSuccess)
        return 1;
    cudaEventRecord(start);
    kernel<<<dim3(DIM / 16, DIM / 16), dim3(16, 16)>>>(d_image);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(image, d_image, sizeof(image), cudaMemcpyDeviceToHost);

    int inside = 0;
    for (int i = 0; i < DIM * DIM; i++)
        inside += image[i] == MAX_ITER;
    // -2 + 0i and 0 + 0i belong to the set, the corners do not.
    const bool right = image[DIM / 2 * DIM] == MAX_ITER && image[0] == 1 &&
                       image[DIM / 2 * DIM + 43] == MAX_ITER && image[DIM * DIM - 1] < 5 &&
                       inside > 550 && inside < 800 && ms >= 0;
    if (!right)
        printf("%d cells inside, corner %d\n", inside, image[0]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_image);
    return right ? 0 : 1;
}
