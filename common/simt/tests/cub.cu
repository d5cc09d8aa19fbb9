// SPDX-License-Identifier: MIT
//
// cub.cu - the stand-in for CUB: device, block and warp reductions.
#include <cub/cub.cuh>

#include "check.h"

template <typename T, typename F>
static T reduced(const T *d_in, size_t n, F call)
{
    T *d_out, value;
    void *d_temp = nullptr;
    size_t bytes = 0;
    CHECK(cudaMalloc(&d_out, sizeof(T)));
    CHECK(call(d_temp, bytes, d_in, d_out, n));
    CHECK(cudaMalloc(&d_temp, bytes));
    CHECK(call(d_temp, bytes, d_in, d_out, n));
    CHECK(cudaMemcpy(&value, d_out, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_temp));
    CHECK(cudaFree(d_out));
    return value;
}

struct product {
    __device__ double operator()(double a, double b) const { return a * b; }
};

template <typename T>
static void test(size_t n)
{
    T *h_in = new T[n + 1], *d_in, sum = 0, least = std::numeric_limits<T>::max();
    for (size_t i = 0; i < n; i++) {
        h_in[i] = T((i * 31 + 7) % 101);
        sum += h_in[i];
        least = h_in[i] < least ? h_in[i] : least;
    }
    CHECK(cudaMalloc(&d_in, (n + 1) * sizeof(T)));
    CHECK(cudaMemcpy(d_in, h_in, n * sizeof(T), cudaMemcpyHostToDevice));
    EXPECT(reduced<T>(d_in, n, [](void *t, size_t &b, const T *in, T *out, size_t count) {
               return cub::DeviceReduce::Sum(t, b, in, out, count);
           }) == sum);
    EXPECT(reduced<T>(d_in, n, [](void *t, size_t &b, const T *in, T *out, size_t count) {
               return cub::DeviceReduce::Min(t, b, in, out, (int)count);
           }) == least);
    CHECK(cudaFree(d_in));
    delete[] h_in;
}

__global__ void block_and_warp(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 100> block_reduce;
    typedef cub::WarpReduce<int> warp_reduce;
    __shared__ block_reduce::TempStorage s_block;
    __shared__ warp_reduce::TempStorage s_warp;
    const int sum = block_reduce(s_block).Sum(in[threadIdx.x]);
    int warp = 0;
    if (threadIdx.x < 32)
        warp = warp_reduce(s_warp).Reduce(in[threadIdx.x], cub::Max());
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = warp;
    }
}

int main()
{
    for (size_t n : {0, 1, 2, 255, 256, 257, 1000, 300000}) {
        test<int>(n);
        test<double>(n);
    }
    double h_in[3] = {2, 3, 5}, *d_in;
    CHECK(cudaMalloc(&d_in, sizeof h_in));
    CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    EXPECT(
        reduced<double>(d_in, 3, [](void *t, size_t &b, const double *in, double *out, size_t n) {
            return cub::DeviceReduce::Reduce(t, b, in, out, n, product(), 7.0);
        }) == 210);
    int *data;
    CHECK(cudaMallocManaged(&data, 102 * sizeof *data));
    for (int i = 0; i < 100; i++)
        data[i] = i;
    block_and_warp<<<1, 100>>>(data, data + 100);
    CHECK(cudaDeviceSynchronize());
    EXPECT(data[100] == 4950 && data[101] == 31);
    return 0;
}
