// SPDX-License-Identifier: MIT
//
// Group: right
// Case: two_level - two levels of warps, by shuffles that wrap around all lanes; a block for each
// 256 elements.
// Full: $BUILD/right/two_level --check
#include "right.cuh"

#define WARPS (BLOCK_SIZE / WARP_SIZE)

// Every lane gets the result of its warp.
template <typename T, typename Op>
__device__ T warp_all(T value)
{
    for (unsigned lanes = 1; lanes < WARP_SIZE; lanes *= 2) {
        value = Op()(value, __shfl_xor_sync(0xffffffff, value, lanes)); // mask: all 32 lanes
    }
    return value;
}

template <typename T, typename Op>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_warp[WARPS];
    const unsigned tid = threadIdx.x;

    T value = warp_all<T, Op>(share<T, Op>(d_in, n));
    if (tid % WARP_SIZE == 0) {
        s_warp[tid / WARP_SIZE] = value;
    }
    __syncthreads(); // the results of all warps are in place
    if (tid >= WARP_SIZE) {
        return;
    }
    value = warp_all<T, Op>(tid < WARPS ? s_warp[tid] : Op::identity());
    if (tid == 0) {
        d_out[blockIdx.x] = value;
    }
}

template <typename T, typename Op>
static cudaError_t launch(const void *d_in, void *d_out, size_t n, void *d_work, size_t *work_bytes,
                          cudaStream_t stream)
{
    const size_t blocks = n > BLOCK_SIZE ? (n + BLOCK_SIZE - 1) / BLOCK_SIZE : 1;

    if (d_work == NULL) {
        *work_bytes = blocks * sizeof(T);
        return cudaSuccess;
    }
    reduce_kernel<T, Op><<<blocks, BLOCK_SIZE, 0, stream>>>((const T *)d_in, (T *)d_work, n);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return error;
    }
    reduce_kernel<T, Op><<<1, BLOCK_SIZE, 0, stream>>>((const T *)d_work, (T *)d_out, blocks);
    return cudaGetLastError();
}

STEP("two levels", launch);
