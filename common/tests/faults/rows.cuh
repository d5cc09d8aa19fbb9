// SPDX-License-Identifier: MIT
//
// rows.cuh - the correct parts that the planted faults of row sums and softmax share: reductions of
// a warp, a kernel, and a launcher with a block for each row. A fault has its own wrong part.
#include "step.h"

#define WARP_SIZE 32

// Every lane gets the sum, or the largest value, of the warp.
__device__ float warp_sum(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
    }
    return value;
}

__device__ float warp_max(float value)
{
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(0xffffffff, value, offset); // mask: all 32 lanes
        value = value > other || value != value ? value : other;
    }
    return value;
}

// The sum of every 32nd element of a row.
__device__ float share_sum(const float *d_row, size_t cols)
{
    float value = 0.0f;
    for (size_t k = threadIdx.x; k < cols; k += WARP_SIZE) {
        value += d_row[k];
    }
    return value;
}

// Thread 0 stores the sum of the warp as that of the block's row.
__device__ void store_row(float value, float *d_out)
{
    value = warp_sum(value);
    if (threadIdx.x == 0) {
        d_out[blockIdx.x] = value;
    }
}

// One warp a row.
__global__ void row_kernel(const float *d_in, float *d_out, size_t cols)
{
    store_row(share_sum(d_in + blockIdx.x * cols, cols), d_out);
}

template <typename T, void (*kernel)(const T *, T *, size_t), unsigned threads = WARP_SIZE>
static cudaError_t launch_rows(const void *d_in, void *d_out, size_t rows, size_t cols,
                               void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    if (rows > 0) {
        kernel<<<rows, threads, 0, stream>>>((const T *)d_in, (T *)d_out, cols);
    }
    return cudaGetLastError();
}
