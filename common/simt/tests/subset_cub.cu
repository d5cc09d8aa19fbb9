// SPDX-License-Identifier: MIT
//
// subset_cub.cu - CUB's reductions and scans of a warp, a block and a device.
#include "check.h"

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct larger {
    template <typename T>
    __host__ __device__ T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};

__global__ void warp_kernel(int *out)
{
    typedef cub::WarpReduce<int> reduce;
    typedef cub::WarpScan<int> scan;
    __shared__ typename reduce::TempStorage s_reduce[4];
    __shared__ typename scan::TempStorage s_scan[4];
    const int t = (int)threadIdx.x, warp = t / 32;
    const int sum = reduce(s_reduce[warp]).Sum(t);
    if (t % 32 == 0)
        out[warp] = sum;
    int inclusive, exclusive;
    scan(s_scan[warp]).InclusiveSum(t, inclusive);
    __syncwarp();
    scan(s_scan[warp]).ExclusiveSum(1, exclusive);
    out[4 + t] = inclusive + 1000 * exclusive;
}

// Three items a thread, of 100: backwards to out, in stripes, and 7 past the end.
__global__ void load_kernel(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 64, 3, cub::BLOCK_LOAD_TRANSPOSE> load;
    typedef cub::BlockStore<int, 64, 3, cub::BLOCK_STORE_STRIPED> store;
    __shared__ typename load::TempStorage s_load;
    __shared__ typename store::TempStorage s_store;
    int items[3];
    load(s_load).Load(in, items, 100, 7);
    store(s_store).Store(out, items);
}

__global__ void block_kernel(int *out)
{
    typedef cub::BlockReduce<int, 128> block_reduce;
    typedef cub::BlockScan<int, 128> block_scan;
    __shared__ union {
        typename block_reduce::TempStorage reduce;
        typename block_scan::TempStorage scan;
    } s_storage;
    const int t = (int)threadIdx.x;
    const int most = block_reduce(s_storage.reduce).Reduce(t ^ 5, larger());
    if (t == 0)
        out[128] = most;
    __syncthreads();
    int before, total, items[2] = {t, 1};
    block_scan(s_storage.scan).ExclusiveSum(t, before, total);
    __syncthreads();
    block_scan(s_storage.scan).InclusiveSum(items, items);
    out[t] = before + items[1];
    if (t == 0)
        out[129] = total;
}

// Lines of text one after the other: an operator that is not commutative, of a struct of 12 bytes.
struct span {
    int first, last, parts;
};
struct adjoined {
    __device__ span operator()(span a, span b) const
    {
        return {a.first, b.last, a.last + 1 == b.first ? a.parts + b.parts : -1000};
    }
};

// A block whose last warp is not full.
__global__ void part_kernel(int *out)
{
    typedef cub::BlockReduce<int, 100> block_reduce;
    typedef cub::WarpReduce<int> warp_reduce;
    __shared__ block_reduce::TempStorage s_block;
    __shared__ warp_reduce::TempStorage s_warp;
    const int t = (int)threadIdx.x, sum = block_reduce(s_block).Sum(t);
    __shared__ cub::BlockReduce<span, 100>::TempStorage s_span;
    const span all = cub::BlockReduce<span, 100>(s_span).Reduce(span{t, t, 1}, adjoined(), 97);
    int most = 0;
    if (t < 32)
        most = warp_reduce(s_warp).Reduce(t, cub::Max());
    if (t == 0) {
        out[0] = sum;
        out[1] = most;
        out[2] = all.first * 10000 + all.last * 100 + all.parts;
    }
}

static void test_groups()
{
    int *h = managed<int>(132);
    warp_kernel<<<1, 128>>>(h);
    CHECK(cudaDeviceSynchronize());
    EXPECT(h[0] == 496 && h[3] == 3568 && h[4 + 31] == 496 + 31000 && h[4 + 33] == 65 + 1000);
    block_kernel<<<1, 128>>>(h);
    CHECK(cudaDeviceSynchronize());
    EXPECT(h[128] == 127 && h[129] == 8128);
    for (int t = 0; t < 128; t++)
        EXPECT(h[t] == t * (t - 1) / 2 + t * (t + 1) / 2 + t + 1);
    part_kernel<<<1, 100>>>(h);
    CHECK(cudaDeviceSynchronize());
    EXPECT(h[0] == 4950 && h[1] == 31 && h[2] == 9697);
}

// A call of CUB is made twice: first it says how much scratch memory it needs.
template <typename Call>
static void with_scratch(Call call)
{
    void *d_temp = nullptr;
    size_t bytes = 0;
    CHECK(call(d_temp, bytes));
    CHECK(cudaMalloc(&d_temp, bytes));
    CHECK(call(d_temp, bytes));
    CHECK(cudaFree(d_temp));
}

struct product {
    __device__ double operator()(double a, double b) const { return a * b; }
};

// Of no elements as well: the sum is 0, the least the largest number.
template <typename T>
static void test_reduce(size_t n)
{
    T *in = managed<T>(n), *out = managed<T>(3), sum = 0, least = std::numeric_limits<T>::max();
    for (size_t i = 0; i < n; i++) {
        in[i] = T((i * 31 + 7) % 101);
        sum += in[i];
        least = in[i] < least ? in[i] : least;
    }
    with_scratch([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, out, n); });
    with_scratch(
        [&](void *t, size_t &b) { return cub::DeviceReduce::Min(t, b, in, out + 1, (int)n); });
    with_scratch([&](void *t, size_t &b) {
        return cub::DeviceReduce::Reduce(t, b, in, out + 2, n < 2 ? n : 2, product(), T(7));
    });
    CHECK(cudaDeviceSynchronize());
    EXPECT(out[0] == sum && out[1] == least);
    EXPECT(out[2] == (n == 0 ? 7 : n == 1 ? 49 : 7 * 7 * 38));
}

// The scratch of CUB 3: a byte if one block is enough, else an odd size, from any address on.
static void test_scratch_bytes()
{
    float *d_in, *d_out, sum = 0;
    char *d_temp;
    size_t bytes = 0;
    CHECK(cudaMalloc(&d_in, 5000 * sizeof *d_in));
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    CHECK(cudaMemset(d_in, 0, 5000 * sizeof *d_in));
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, d_in, d_out, 4096));
    EXPECT(bytes == 1);
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, d_in, d_out, 5000));
    EXPECT(bytes > 256 && bytes % 256 == 255);
    CHECK(cudaMalloc(&d_temp, bytes + 1));
    CHECK(cub::DeviceReduce::Sum(d_temp + 1, bytes, d_in, d_out, 5000));
    CHECK(cudaMemcpy(&sum, d_out, sizeof sum, cudaMemcpyDeviceToHost));
    EXPECT(sum == 0);
    for (void *p : {(void *)d_in, (void *)d_out, (void *)d_temp})
        CHECK(cudaFree(p));
}

struct plus {
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

// The sum of the squares of 0 to n - 1, which come from the device's memory or are counted.
static void test_iterators(int n)
{
    int *in = managed<int>((size_t)n), *sums = managed<int>(4), expected = 0;
    for (int i = 0; i < n; expected += i * i, i++)
        in[i] = i;
    const auto counted = thrust::make_counting_iterator(0);
    const auto squares = thrust::make_transform_iterator(counted, square());
    const auto of_array = thrust::make_transform_iterator(in, square());
    EXPECT(counted[3] == 3 && *(squares + 3) == 9 && squares[4] == 16);
    with_scratch([&](void *t, size_t &b) {
        return cub::DeviceReduce::TransformReduce(t, b, in, sums, n, plus(), square(), 0);
    });
    with_scratch(
        [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, squares, sums + 1, n); });
    with_scratch(
        [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, of_array, sums + 2, n); });
    with_scratch([&](void *t, size_t &b) {
        return cub::DeviceReduce::TransformReduce(t, b, counted, sums + 3, n, plus(), square(), 0);
    });
    CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < 4; k++)
        EXPECT(sums[k] == expected);
}

static void test_scan(int n)
{
    int *in = managed<int>((size_t)n), *out = managed<int>((size_t)n), before = 0, most = -4;
    for (int i = 0; i < n; i++)
        in[i] = i * 7 % 11 - 4;
    with_scratch(
        [&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; before += in[i++])
        EXPECT(out[i] == before);
    with_scratch([&](void *t, size_t &b) {
        return cub::DeviceScan::InclusiveScan(t, b, in, out, larger(), n);
    });
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        most = most < in[i] ? in[i] : most;
        EXPECT(out[i] == most);
    }
    with_scratch(
        [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, in, in, n); });
    CHECK(cudaDeviceSynchronize());
    EXPECT(in[n - 1] == before);
}

static void test_loads()
{
    int *in = managed<int>(192), *out = managed<int>(192);
    for (int i = 0; i < 192; i++)
        in[i] = 1000 + i;
    load_kernel<<<1, 64>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 192; i++) {
        const int from = 3 * (i % 64) + i / 64;
        EXPECT(out[i] == (from < 100 ? 1000 + from : 7));
    }
}

int main()
{
    test_scratch_bytes();
    test_loads();
    test_groups();
    for (size_t n : {0, 1, 2, 255, 256, 257, 1000, 300000}) {
        test_reduce<int>(n);
        test_reduce<double>(n);
    }
    test_iterators(700);
    test_scan(1);
    test_scan(256);
    test_scan(5000);
    return 0;
}
