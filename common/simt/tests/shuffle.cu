// SPDX-License-Identifier: MIT
//
// shuffle.cu - shuffles of every kind, type and width, votes, and a reduction made of them.
#include <cuda_fp16.h>

#include "check.h"

#define FULL 0xffffffffu

template <typename T>
__global__ void exchange(T *out)
{
    const int lane = (int)threadIdx.x;
    const T v = T(lane);
    out[0 * 32 + lane] = __shfl_sync(FULL, v, 5);
    out[1 * 32 + lane] = __shfl_up_sync(FULL, v, 3);
    out[2 * 32 + lane] = __shfl_down_sync(FULL, v, 3);
    out[3 * 32 + lane] = __shfl_xor_sync(FULL, v, 1);
    out[4 * 32 + lane] = __shfl_sync(FULL, v, lane + 1, 8);
    out[5 * 32 + lane] = __shfl_up_sync(FULL, v, 2, 8);
    out[6 * 32 + lane] = __shfl_down_sync(FULL, v, 2, 8);
    out[7 * 32 + lane] = __shfl_xor_sync(FULL, v, 4, 8);
}

static int expected(int row, int lane)
{
    const int low = lane & ~7;
    switch (row) {
    case 0:
        return 5;
    case 1:
        return lane >= 3 ? lane - 3 : lane;
    case 2:
        return lane + 3 < 32 ? lane + 3 : lane;
    case 3:
        return lane ^ 1;
    case 4:
        return low + (lane + 1) % 8;
    case 5:
        return lane - low >= 2 ? lane - 2 : lane;
    case 6:
        return lane - low + 2 < 8 ? lane + 2 : lane;
    default:
        return lane ^ 4;
    }
}

template <typename T>
static void test_exchange()
{
    T *d_out, h_out[8 * 32];
    CHECK(cudaMalloc(&d_out, sizeof h_out));
    exchange<T><<<1, 32>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int row = 0; row < 8; row++)
        for (int lane = 0; lane < 32; lane++)
            EXPECT(h_out[row * 32 + lane] == T(expected(row, lane)));
    CHECK(cudaFree(d_out));
}

template <typename T>
__device__ T warp_reduce(T value)
{
    for (unsigned d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(FULL, value, d);
    return value;
}

template <typename T>
__global__ void reduce(const T *in, T *out)
{
    __shared__ T s_part[32];
    T value = warp_reduce(in[threadIdx.x]);
    if (threadIdx.x % warpSize == 0)
        s_part[threadIdx.x / warpSize] = value;
    __syncthreads();
    if (threadIdx.x < warpSize) {
        value = threadIdx.x < blockDim.x / warpSize ? s_part[threadIdx.x] : T(0);
        value = warp_reduce(value);
        if (threadIdx.x == 0)
            *out = value;
    }
}

static void test_reduce()
{
    double *d_in, *d_out, h_in[1024], sum = 0, got;
    for (int i = 0; i < 1024; i++)
        sum += h_in[i] = i % 17;
    CHECK(cudaMalloc(&d_in, sizeof h_in));
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    reduce<<<1, 1024>>>(d_in, d_out);
    CHECK(cudaMemcpy(&got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got == sum);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

// Votes; halves of a warp with separate masks; a warp of 20 threads with the full mask; a read from
// a lane that is not in the mask gives garbage, never the reader's own value.
__global__ void votes(unsigned *out)
{
    const unsigned lane = threadIdx.x;
    out[0] = __ballot_sync(FULL, lane % 3 == 0);
    out[1] = (unsigned)__any_sync(FULL, lane == 7) * 2 + (unsigned)__all_sync(FULL, lane < 20);
    unsigned v = lane;
    if (lane < 16) {
        v += __shfl_xor_sync(0xffffu, v, 1);
        out[2] = __activemask();
    }
    __syncwarp();
    if (lane < 4)
        v = __shfl_sync(0xfu, v, 9);
    if (lane == 0)
        out[3] = v;
    out[4] = (unsigned)__syncthreads_count(lane < 5);
    out[5] = (unsigned)__syncthreads_or(lane == 30) * 2 + (unsigned)__syncthreads_and(lane < 30);
}

// The last warp has four lanes, and names them: a sum, a maximum.
__global__ void short_warp(int *out)
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
    if (lane == 0) {
        atomicAdd(out, sum);
        atomicMax(out + 1, most);
    }
}

int main()
{
    test_exchange<int>();
    test_exchange<unsigned>();
    test_exchange<long long>();
    test_exchange<float>();
    test_exchange<double>();
    test_exchange<__half>();
    test_exchange<short>();
    test_reduce();

    unsigned *d_out, h_out[6];
    CHECK(cudaMalloc(&d_out, sizeof h_out));
    votes<<<1, 20>>>(d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    EXPECT(h_out[0] == 0x49249u);
    EXPECT(h_out[1] == 3);
    EXPECT(h_out[2] == 0xffffu);
    EXPECT(h_out[3] == 0x7f7f7f7fu);
    EXPECT(h_out[4] == 5);
    EXPECT(h_out[5] == 1);
    CHECK(cudaMemset(d_out, 0, sizeof h_out));
    short_warp<<<1, 36>>>((int *)d_out);
    CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    EXPECT(h_out[0] == 36 * 35 / 2 && h_out[1] == 35);
    CHECK(cudaFree(d_out));
    return 0;
}
