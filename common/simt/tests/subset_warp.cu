// SPDX-License-Identifier: MIT
//
// subset_warp.cu - votes, matches, reductions, shuffles of all widths and types, voting barriers;
// parts of a warp, and a block's sum made of shuffles.
#include "device_check.h"

#include <cuda_fp16.h>

#define FULL 0xffffffffu

__global__ void vote_kernel()
{
    const unsigned lane = threadIdx.x % 32;
    TRUE(__ballot_sync(FULL, lane % 3 == 0) == 0x49249249u);
    TRUE(__any_sync(FULL, lane == 17) && !__any_sync(FULL, lane > 31));
    TRUE(__all_sync(FULL, lane < 32) && !__all_sync(FULL, lane != 17));
    TRUE(__match_any_sync(FULL, lane / 8) == 0xffu << lane / 8 * 8);
    TRUE(__match_any_sync(FULL, (double)(lane % 2)) == (lane % 2 ? 0xaaaaaaaau : 0x55555555u));
    int all;
    TRUE(__match_all_sync(FULL, 7ull << 40, &all) == FULL && all);
    TRUE(__match_all_sync(FULL, lane == 3, &all) == 0 && !all);
    enum direction { left, right = 5 };
    const auto small = __shfl_sync(FULL, (short)-3, 0); // becomes an int, as on a GPU
    TRUE(sizeof small == sizeof(int) && small == -3 && __shfl_sync(FULL, lane == 2, 2) == 1);
    TRUE(__shfl_up_sync(FULL, right, 1) == 5 && __shfl_xor_sync(FULL, 'a', 1) == 97);
    __syncwarp();
    if (lane < 16) {
        TRUE(__ballot_sync(0x0000ffffu, 1) == 0x0000ffffu);
        __syncwarp(0x0000ffffu);
    }
}

__global__ void reduce_kernel()
{
    const int lane = (int)threadIdx.x % 32;
    TRUE(__reduce_add_sync(FULL, lane) == 496);
    TRUE(__reduce_add_sync(FULL, 0x80000000u) == 0);
    TRUE(__reduce_min_sync(FULL, lane - 16) == -16 && __reduce_max_sync(FULL, lane - 16) == 15);
    TRUE(__reduce_min_sync(FULL, (unsigned)lane - 16u) == 0);
    TRUE(__reduce_max_sync(FULL, (unsigned)lane - 16u) == 0xffffffffu);
    TRUE(__reduce_and_sync(FULL, (unsigned)lane | 64u) == 64);
    TRUE(__reduce_or_sync(FULL, 1u << lane) == FULL);
    TRUE(__reduce_xor_sync(FULL, 1u << lane / 2) == 0);
    const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    TRUE(__reduce_add_sync(half, lane) == (lane < 16 ? 120 : 376));
}

// Where a shuffle of the given width reads.
template <typename T, int WIDTH>
__device__ void shuffle_width()
{
    const int lane = (int)threadIdx.x % 32, low = lane / WIDTH * WIDTH, high = low + WIDTH - 1;
    const T v = T(lane);
    for (int d = 0; d < WIDTH; d++) {
        TRUE(__shfl_sync(FULL, v, d, WIDTH) == T(low + d));
        TRUE(__shfl_sync(FULL, v, lane + d, WIDTH) == T(low + (lane + d) % WIDTH));
        TRUE(__shfl_up_sync(FULL, v, d, WIDTH) == T(lane - d >= low ? lane - d : lane));
        TRUE(__shfl_down_sync(FULL, v, d, WIDTH) == T(lane + d <= high ? lane + d : lane));
        TRUE(__shfl_xor_sync(FULL, v, d, WIDTH) == T(lane ^ d));
    }
}

template <typename T>
__global__ void shuffle_kernel()
{
    shuffle_width<T, 8>();
    const int lane = (int)threadIdx.x % 32;
    TRUE(__shfl_up_sync(FULL, T(lane), 3) == T(lane >= 3 ? lane - 3 : lane));
}

// Both halves of 8 bytes and of a pair must come along.
__global__ void wide_kernel()
{
    shuffle_width<int, 2>();
    shuffle_width<int, 4>();
    shuffle_width<int, 16>();
    shuffle_width<int, 32>();
    const int lane = (int)threadIdx.x % 32, other = lane ^ 1;
    TRUE(__shfl_xor_sync(FULL, (long long)lane << 40, 1) == (long long)other << 40);
    TRUE(__shfl_xor_sync(FULL, ~(unsigned long long)lane, 1) == ~(unsigned long long)other);
    TRUE(__shfl_xor_sync(FULL, 0.1 * lane, 1) == 0.1 * other);
    const __half2 pair = __shfl_xor_sync(FULL, __floats2half2_rn((float)lane, 1.0f), 1);
    TRUE(__low2float(pair) == (float)other && __high2float(pair) == 1.0f);
}

// A warp of 20 threads with the full mask, and parts of it with masks of their own. What is read
// from a lane that is not in the mask is garbage, never the reader's own value.
__global__ void part_kernel()
{
    const unsigned lane = threadIdx.x;
    TRUE(__ballot_sync(FULL, lane % 3 == 0) == 0x49249u);
    TRUE(__any_sync(FULL, lane == 7) && __all_sync(FULL, lane < 20));
    if (lane < 16) {
        TRUE(__shfl_xor_sync(0xffffu, lane, 1) == (lane ^ 1));
        TRUE(__activemask() == 0xffffu);
    }
    __syncwarp();
    if (lane < 4)
        TRUE(__shfl_sync(0xfu, lane, 9) == 0x7f7f7f7fu);
    TRUE(__syncthreads_count(lane < 5) == 5);
    TRUE(!__syncthreads_or(lane == 30) && __syncthreads_and(lane < 30));
}

// The last warp has four lanes, and names them: a sum, a maximum.
__global__ void short_kernel()
{
    const unsigned lane = threadIdx.x % 32, lanes = min(32u, blockDim.x - threadIdx.x / 32 * 32);
    const unsigned mask = lanes == 32 ? FULL : (1u << lanes) - 1;
    int sum = (int)threadIdx.x, most = sum;
    for (unsigned d = 16; d > 0; d /= 2) {
        const int a = __shfl_down_sync(mask, sum, lane + d < lanes ? d : 0);
        const int b = __shfl_sync(mask, most, (int)((lane + d) % lanes));
        sum += lane + d < lanes ? a : 0;
        most = max(most, b);
    }
    if (lane == 0)
        TRUE(lanes == 32 ? sum == 496 && most == 31 : sum == 32 + 33 + 34 + 35 && most == 35);
}

__device__ double warp_sum(double value)
{
    for (unsigned d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(FULL, value, d);
    return value;
}

// Other things of that name.
struct part {
    int warpSize;
    __device__ int get(int n = 2) const { return n * warpSize; }
};
__device__ int times(int warpSize, int n)
{
    return n * warpSize;
}

__global__ void sum_kernel()
{
    TRUE(part{4}.get() == 8 && times(3, 5) == 15 && min(warpSize, 50) == 32);
    __shared__ double s_part[32];
    double value = warp_sum(threadIdx.x);
    if (threadIdx.x % warpSize == 0)
        s_part[threadIdx.x / warpSize] = value;
    __syncthreads();
    if (threadIdx.x < warpSize) {
        value = warp_sum(threadIdx.x < blockDim.x / warpSize ? s_part[threadIdx.x] : 0);
        TRUE(threadIdx.x != 0 || value == 1023 * 1024 / 2);
    }
}

__global__ void barrier_kernel()
{
    const int t = (int)threadIdx.x;
    TRUE(__syncthreads_count(t % 4 == 0) == 24);
    TRUE(__syncthreads_and(t < 96) && !__syncthreads_and(t != 50));
    TRUE(__syncthreads_or(t == 50) && !__syncthreads_or(t == 96));
}

int main()
{
    vote_kernel<<<1, 64>>>();
    reduce_kernel<<<1, 64>>>();
    shuffle_kernel<int><<<1, 64>>>();
    shuffle_kernel<unsigned><<<1, 64>>>();
    shuffle_kernel<long long><<<1, 64>>>();
    shuffle_kernel<float><<<1, 64>>>();
    shuffle_kernel<double><<<1, 64>>>();
    shuffle_kernel<__half><<<1, 64>>>();
    shuffle_kernel<short><<<1, 64>>>();
    wide_kernel<<<1, 64>>>();
    part_kernel<<<1, 20>>>();
    short_kernel<<<1, 36>>>();
    sum_kernel<<<1, 1024>>>();
    barrier_kernel<<<1, 96>>>();
    return failed_line(__FILE__);
}
