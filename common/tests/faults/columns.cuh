// SPDX-License-Identifier: MIT
//
// columns.cuh - the correct parts that the planted faults of column sums share: a block of 32 x 8
// threads for 32 columns, its reduction, a kernel and a launcher. A fault's file has its own wrong
// part.
#include "step.h"

#define WIDE 32 // columns of a block
#define HIGH 8  // rows that it takes at once

__device__ size_t column_of_thread()
{
    return (size_t)blockIdx.x * WIDE + threadIdx.x;
}

// The sum over the 8 threads of a column; the first row of threads gets it.
__device__ float column_sum(float value)
{
    __shared__ float s_value[HIGH][WIDE];
    s_value[threadIdx.y][threadIdx.x] = value;
    __syncthreads(); // the values of all 8 rows are in place
    for (unsigned half = HIGH / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
            s_value[threadIdx.y][threadIdx.x] += s_value[threadIdx.y + half][threadIdx.x];
        }
        __syncthreads(); // the next round reads what other warps have written
    }
    return s_value[0][threadIdx.x];
}

__global__ void column_kernel(const float *d_in, float *d_out, size_t rows, size_t cols)
{
    const size_t column = column_of_thread();
    float value = 0.0f;
    for (size_t row = threadIdx.y; row < rows && column < cols; row += HIGH) {
        value += d_in[row * cols + column];
    }
    value = column_sum(value);
    if (threadIdx.y == 0 && column < cols) {
        d_out[column] = value;
    }
}

template <typename T, void (*kernel)(const T *, T *, size_t, size_t)>
static cudaError_t launch_columns(const void *d_in, void *d_out, size_t rows, size_t cols,
                                  void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (cols > 0) {
        kernel<<<(unsigned)((cols + WIDE - 1) / WIDE), dim3(WIDE, HIGH), 0, stream>>>(
            (const T *)d_in, (T *)d_out, rows, cols);
    }
    return cudaGetLastError();
}
