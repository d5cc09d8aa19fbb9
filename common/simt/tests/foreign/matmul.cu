// SPDX-License-Identifier: MIT
//
// Matrix product with square tiles in shared memory, in the style of the programming guide.
//
// COUNTS 1 shared_ld_requests 15360 (15 blocks of 8 warps, 4 tiles, 32 loads)
// COUNTS 1 shared_ld_wavefronts 15360 (2 words of As, 16 neighbours of Bs: no conflict)
// COUNTS 1 shared_st_requests 960
// COUNTS 1 barriers 960
// COUNTS 1 global_st_requests 100 (20 pairs of rows, 5 blocks wide)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_SIZE 16

typedef struct {
    int width;
    int height;
    float *elements;
} Matrix;

__device__ float GetElement(const Matrix A, int row, int col)
{
    return (row < A.height && col < A.width) ? A.elements[row * A.width + col] : 0.0f;
}

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C)
{
    int row = threadIdx.y, col = threadIdx.x;
    int globalRow = blockIdx.y * BLOCK_SIZE + row;
    int globalCol = blockIdx.x * BLOCK_SIZE + col;
    float Cvalue = 0;

    for (int m = 0; m < (A.width + BLOCK_SIZE - 1) / BLOCK_SIZE; ++m) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

        As[row][col] = GetElement(A, globalRow, m * BLOCK_SIZE + col);
        Bs[row][col] = GetElement(B, m * BLOCK_SIZE + row, globalCol);
        __syncthreads();
#pragma unroll
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    if (globalRow < C.height && globalCol < C.width)
        C.elements[globalRow * C.width + globalCol] = Cvalue;
}

static Matrix make(int width, int height)
{
    Matrix m;
    m.width = width;
    m.height = height;
    m.elements = (float *)malloc(sizeof(float) * width * height);
    for (int i = 0; i < width * height; i++)
        m.elements[i] = (float)(i % 17) - 8.0f;
    return m;
}

static Matrix upload(Matrix m)
{
    Matrix d = m;
    size_t size = sizeof(float) * m.width * m.height;
    cudaMalloc((void **)&d.elements, size);
    cudaMemcpy(d.elements, m.elements, size, cudaMemcpyHostToDevice);
    return d;
}

int main(void)
{
    Matrix A = make(50, 40), B = make(70, 50), C = make(70, 40);
    Matrix d_A = upload(A), d_B = upload(B), d_C = upload(C);

    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
    dim3 dimGrid((B.width + dimBlock.x - 1) / dimBlock.x, (A.height + dimBlock.y - 1) / dimBlock.y);
    MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(err));
        return 1;
    }
    cudaMemcpy(C.elements, d_C.elements, sizeof(float) * C.width * C.height,
               cudaMemcpyDeviceToHost);

    for (int r = 0; r < C.height; r++)
        for (int c = 0; c < C.width; c++) {
            float sum = 0; /* small whole numbers: exact in any order */
            for (int k = 0; k < A.width; k++)
                sum += A.elements[r * A.width + k] * B.elements[k * B.width + c];
            if (sum != C.elements[r * C.width + c]) {
                printf("wrong at %d, %d\n", r, c);
                return 1;
            }
        }
    cudaFree(d_A.elements);
    cudaFree(d_B.elements);
    cudaFree(d_C.elements);
    free(A.elements);
    free(B.elements);
    free(C.elements);
    return 0;
}
