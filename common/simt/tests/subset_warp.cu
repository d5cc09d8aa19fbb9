// SPDX-License-Identifier: MIT
//
// subset_warp.cu - votes, matches, reductions, shuffles of all widths and types, voting barriers.
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
template <int WIDTH>
__device__ void shuffle_width()
{
    const int lane = (int)threadIdx.x % 32, low = lane / WIDTH * WIDTH, high = low + WIDTH - 1;
    for (int d = 0; d < WIDTH; d++) {
        TRUE(__shfl_sync(FULL, lane, d, WIDTH) == low + d);
        TRUE(__shfl_up_sync(FULL, lane, d, WIDTH) == (lane - d >= low ? lane - d : lane));
        TRUE(__shfl_down_sync(FULL, lane, d, WIDTH) == (lane + d <= high ? lane + d : lane));
        TRUE(__shfl_xor_sync(FULL, lane, d, WIDTH) == (lane ^ d));
    }
}

template <typename T>
__device__ void shuffle_type(T mine, T other)
{
    TRUE(__shfl_xor_sync(FULL, mine, 1) == other);
}

__global__ void shuffle_kernel()
{
    shuffle_width<2>();
    shuffle_width<4>();
    shuffle_width<8>();
    shuffle_width<16>();
    shuffle_width<32>();
    const int lane = (int)threadIdx.x % 32, other = lane ^ 1;
    shuffle_type<unsigned>((unsigned)lane, (unsigned)other);
    shuffle_type<long long>((long long)lane << 40, (long long)other << 40);
    shuffle_type<unsigned long long>(~(unsigned long long)lane, ~(unsigned long long)other);
    shuffle_type<float>(0.1f * (float)lane, 0.1f * (float)other);
    shuffle_type<double>(0.1 * lane, 0.1 * other);
    shuffle_type<__half>(__int2half_rn(lane), __int2half_rn(other));
    const __half2 pair = __shfl_xor_sync(FULL, __floats2half2_rn((float)lane, 1.0f), 1);
    TRUE(__low2float(pair) == (float)other && __high2float(pair) == 1.0f);
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
    shuffle_kernel<<<1, 64>>>();
    barrier_kernel<<<1, 96>>>();
    return failed_line(__FILE__);
}
