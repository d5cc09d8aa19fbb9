// SPDX-License-Identifier: MIT
//
// Group: right
// Case: warp_aggregated - a warp adds up by shuffles, and its lane 0 alone adds to shared memory
// with an atomic. The order of the warps changes from run to run, and with it the last bits of a
// float.
// Full: $BUILD/right/warp_aggregated --check
#include "right.cuh"

template <typename T>
__global__ void reduce_kernel(const T *d_in, T *d_out, size_t n)
{
    __shared__ T s_sum;
    const unsigned tid = threadIdx.x;

    if (tid == 0) {
        s_sum = 0;
    }
    __syncthreads(); // the sum is 0 before a warp adds to it
    T value = share<T, sum_op<T>>(d_in, n);
    for (unsigned offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
        const T other = __shfl_down_sync(0xffffffff, value, offset); // mask: all 32 lanes
        value = sum_op<T>()(value, other);
    }
    if (tid % WARP_SIZE == 0) {
        atomicAdd(&s_sum, value);
    }
    __syncthreads(); // all warps have added
    if (tid == 0) {
        d_out[blockIdx.x] = s_sum;
    }
}

template <typename T>
constexpr reduce_fn launch = launch_twice<T, reduce_kernel<T>, GRID_SIZE, BLOCK_SIZE>;

extern "C" const step_t step = {.summary = "right: warps aggregate",
                                .reduce = {{launch<float>}, {launch<double>}, {launch<int>}}};
