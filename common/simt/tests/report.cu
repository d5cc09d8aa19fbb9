// SPDX-License-Identifier: MIT
//
// report.cu - kernels whose counts are known by arithmetic. report.sh reads what is reported.
#include "check.h"

enum { BLOCK = 256 };

// A tree with stride 1, 2, 4, ...: an access every 2 * stride words. One block of 256 threads loses
// 70 wavefronts of loads and 35 of stores to bank conflicts.
__global__ void strided(const float *in, float *out)
{
    __shared__ float s_data[BLOCK];
    const unsigned tid = threadIdx.x;
    s_data[tid] = in[tid];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        const unsigned at = 2 * s * tid;
        if (at < blockDim.x)
            s_data[at] += s_data[at + s]; // LINE tree
        __syncthreads();
    }
    if (tid == 0)
        *out = s_data[0];
}

// The same sums from the other end: no conflicts.
__global__ void sequential(const float *in, float *out)
{
    __shared__ float s_data[BLOCK];
    const unsigned tid = threadIdx.x;
    s_data[tid] = in[tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            s_data[tid] += s_data[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        *out = s_data[0];
}

// Reads a column: 32 words in one bank, and with a pad of one word a column in 32 banks.
template <int PAD>
__global__ void column(const float *in, float *out)
{
    __shared__ float s_tile[32][32 + PAD];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    s_tile[y][x] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = s_tile[x][y]; // LINE column
}

// An array larger than all registers of a thread is memory of its own; smaller ones are not.
template <typename T>
__device__ float sum_of_squares(const float *in)
{
    typename T::value_type squares[300], sum = 0; // another call, another array
    for (int i = 0; i < 300; i++)
        squares[i] = in[i] * in[i]; // LINE squares
    for (int i = 0; i < 300; i++)
        sum += squares[i];
    return sum;
}
struct of_float {
    typedef float value_type;
};
__global__ void own_arrays(const float *in, float *out)
{
    struct pair { // no statement may follow a member
        float v[2];
        int n;
    };
    static constexpr int first[2] = {0, 1};
    const float weights[3] = {1, 2, 3}, *const w = weights;
    unsigned long long words[2][300] = {{1, 2}}, last = 0;
    pair pairs[2] = {{{1, 2}, 3}, {{4, 5}, 6}};
    for (unsigned i = 0; i < 300; i++)
        words[1][i] = i; // LINE own
    for (unsigned i = 0; i < 300; i += 2)
        last += words[i % 4 / 2][i];
    out[threadIdx.x] = (float)last + w[first[1]] + pairs[first[0]].v[threadIdx.x % 2] +
                       sum_of_squares<of_float>(in);
}

namespace
{

// A double needs two shuffles. Half of the lanes take another branch.
__global__ void parted(double *data)
{
    const unsigned lane = threadIdx.x;
    double value = data[lane];
    value += __shfl_xor_sync(0xffffffffu, value, 16);
    if (lane < 16)
        data[lane] = value;
    else
        data[lane] = -value;
}

} // namespace

int main()
{
    float *d_in, *d_out;
    double *d_data;
    CHECK(cudaMalloc(&d_in, 1024 * sizeof(float)));
    CHECK(cudaMalloc(&d_out, 1024 * sizeof(float)));
    CHECK(cudaMalloc(&d_data, 32 * sizeof(double)));
    CHECK(cudaMemset(d_in, 0, 1024 * sizeof(float)));
    CHECK(cudaMemset(d_data, 0, 32 * sizeof(double)));
    strided<<<1, BLOCK>>>(d_in, d_out);
    sequential<<<1, BLOCK>>>(d_in, d_out);
    column<0><<<1, dim3(32, 32)>>>(d_in, d_out);
    column<1><<<1, dim3(32, 32)>>>(d_in, d_out);
    column<1><<<1, dim3(32, 32)>>>(d_in, d_out);
    parted<<<1, 32>>>(d_data);
    own_arrays<<<1, 32>>>(d_in, d_out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
