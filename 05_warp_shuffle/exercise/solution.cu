// SPDX-License-Identifier: MIT
//
// Exercise 05: where is the largest element of each row? With shuffles, without shared memory.
//
// in has rows x cols elements. out[r] is the index, 0 to cols - 1, of the largest element of row r.
// Of equal ones the lowest index wins. NaN is larger than every number, so the first NaN wins. A
// row without elements gives -1. cols is below 2^31.
// Write the marked parts. Do not change the rest.
#include <cuda_runtime.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

#define WARP_SIZE 32
#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / WARP_SIZE)

// An element and its place in the row. {-INFINITY, UINT_MAX} means no element: it loses to all
// others, and as an int its index is -1.
struct best_t {
    float value;
    unsigned index;
};

// The better one of two.
__device__ best_t better(best_t a, best_t b)
{
    // >>> solution
    const bool a_nan = isnan(a.value), b_nan = isnan(b.value);
    const bool equal = a.value == b.value || (a_nan && b_nan);
    const bool a_wins = equal ? a.index < b.index : a_nan || a.value > b.value;
    return a_wins ? a : b;
    // --- exercise
    // // Large values before small ones. And if they are equal, or NaN?
    // return a.index < b.index ? a : b;
    // <<<
}

// Launch: BLOCK_SIZE threads a block, any grid; one warp a row. Shared: nothing.
__global__ void argmax_kernel(const float *d_in, int *d_out, size_t rows, size_t cols)
{
    const unsigned lane = threadIdx.x % WARP_SIZE;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP_SIZE;
    const size_t warps = (size_t)gridDim.x * WARPS;

    for (size_t row = warp; row < rows; row += warps) {
        const float *d_row = d_in + row * cols;
        best_t best = {-INFINITY, UINT_MAX};
        // >>> solution
        for (size_t col = lane; col < cols; col += WARP_SIZE) {
            best = better(best, {d_row[col], (unsigned)col});
        }
        // offset 16: lane 0 meets lane 16, lane 1 meets lane 17, ...; then 8, 4, 2, 1.
        for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
            best_t other; // mask: all 32 lanes, since they have the same row
            other.value = __shfl_down_sync(0xffffffff, best.value, offset);
            other.index = __shfl_down_sync(0xffffffff, best.index, offset);
            best = better(best, other);
        }
        // --- exercise
        // // First the best of this lane's elements, then the best of the 32 lanes in lane 0.
        // if (lane < cols) {
        //     best = better(best, {d_row[lane], lane});
        // }
        // <<<
        if (lane == 0) {
            d_out[row] = (int)best.index;
        }
    }
}

// rows and cols may be 0.
static cudaError_t launch(const float *d_in, int *d_out, size_t rows, size_t cols,
                          cudaStream_t stream)
{
    int device = 0, sms = 1, sm_threads = BLOCK_SIZE;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    const int blocks_per_sm = sm_threads / BLOCK_SIZE; // on an H200 2048 / 256 = 8
    const size_t most = (size_t)sms * blocks_per_sm;
    const size_t needed = (rows + WARPS - 1) / WARPS;
    const size_t blocks = needed < most ? needed : most;
    if (blocks > 0) {
        argmax_kernel<<<blocks, BLOCK_SIZE, 0, stream>>>(d_in, d_out, rows, cols);
    }
    return cudaGetLastError();
}

// The entry that the grader calls. Do not change it. No scratch memory is needed.
extern "C" cudaError_t solve(const void *const *d_in, void *const *d_out, const size_t *size,
                             void *d_work, size_t *work_bytes, cudaStream_t stream)
{
    if (d_work == NULL) {
        *work_bytes = 0;
        return cudaSuccess;
    }
    return launch((const float *)d_in[0], (int *)d_out[0], size[0], size[1], stream);
}
