// SPDX-License-Identifier: MIT
//
// open_tasks.cu - the solution of an open task beside CUB, on a GPU: the same input, the same
// result, median microseconds of both over n.
//
//   nvcc -std=c++17 -O3 -arch=native -DOPEN_SCAN common/measure/open_tasks.cu -o build/open_scan
//   build/open_scan
//
// likewise -DOPEN_HISTOGRAM and -DOPEN_ARGMAX. Run it on a GPU.
//
// Needs: CUDA 12.8
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// After CUB, whose headers use some of the names of our macros.
#if defined OPEN_SCAN
#include "../../05_warp_shuffle/open-scan/solution.cu"
typedef float input_t;
static size_t out_bytes(size_t n)
{
    return n * sizeof(float);
}
static cudaError_t by_cub(void *d_work, size_t &bytes, const input_t *d_in, char *d_out, size_t n)
{
    return cub::DeviceScan::InclusiveSum(d_work, bytes, d_in, (float *)d_out, n);
}
#elif defined OPEN_HISTOGRAM
#include "../../04_vectorized/open-histogram/solution.cu"
typedef unsigned char input_t;
static size_t out_bytes(size_t)
{
    return 256 * sizeof(int);
}
static cudaError_t by_cub(void *d_work, size_t &bytes, const input_t *d_in, char *d_out, size_t n)
{
    return cub::DeviceHistogram::HistogramEven(d_work, bytes, d_in, (int *)d_out, 257, 0, 256,
                                               (int)n);
}
#else
#include "../../06_cub/open-argmax/solution.cu"
typedef float input_t;
static size_t out_bytes(size_t)
{
    return 16; // the value, and from byte 8 on the index
}
static cudaError_t by_cub(void *d_work, size_t &bytes, const input_t *d_in, char *d_out, size_t n)
{
    return cub::DeviceReduce::ArgMax(d_work, bytes, d_in, (float *)d_out, (int64_t *)(d_out + 8),
                                     (int64_t)n);
}
#endif

// -8 to 8, unordered: sums stay exact. For bytes all values, or 9 of 10 the same.
__global__ void fill(input_t *d_in, size_t n, bool few)
{
    for (size_t i = (size_t)blockIdx.x * 256 + threadIdx.x; i < n; i += (size_t)gridDim.x * 256) {
        const unsigned hash = (unsigned)((i * 0x9e3779b97f4a7c15ull) >> 32) * 2654435761u >> 8;
        const int value = sizeof(input_t) == 1 ? (int)(hash % 256) : (int)(hash % 17) - 8;
        d_in[i] = (input_t)(few && hash / 256 % 10 > 0 ? 7 : value);
    }
}

template <typename F>
static float median_us(F call)
{
    std::vector<float> us;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int k = 0; k < 24; k++) {
        float ms;
        CHECK(cudaEventRecord(start));
        CHECK(call());
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        if (k >= 3) { // the first ones warm up
            us.push_back(1000 * ms);
        }
    }
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
}

static void compare(size_t n, bool few)
{
    input_t *d_in;
    char *d_ours, *d_cub, *d_work, *d_cub_work;
    size_t bytes = 0, cub_bytes = 0;
    std::vector<char> ours(out_bytes(n)), cubs(out_bytes(n));
    CHECK(cudaMalloc(&d_in, n * sizeof(input_t)));
    CHECK(cudaMalloc(&d_ours, out_bytes(n)));
    CHECK(cudaMalloc(&d_cub, out_bytes(n)));
    CHECK(cudaMemset(d_ours, 0, out_bytes(n)));
    CHECK(cudaMemset(d_cub, 0, out_bytes(n)));
    fill<<<1024, 256>>>(d_in, n, few);

    const void *in[] = {d_in};
    void *out[] = {d_ours, d_ours + 8};
    CHECK(solve(in, out, &n, NULL, &bytes, 0));
    CHECK(by_cub(NULL, cub_bytes, d_in, d_cub, n));
    CHECK(cudaMalloc(&d_work, bytes + 1));
    CHECK(cudaMalloc(&d_cub_work, cub_bytes + 1));
    const float a = median_us([&] { return solve(in, out, &n, d_work, &bytes, 0); });
    const float b = median_us([&] { return by_cub(d_cub_work, cub_bytes, d_in, d_cub, n); });

    CHECK(cudaMemcpy(ours.data(), d_ours, ours.size(), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(cubs.data(), d_cub, cubs.size(), cudaMemcpyDeviceToHost));
    printf("%12zu  %-6s %10.1f %10.1f %8.2f  %s\n", n, few ? "few" : "all", a, b, b / a,
           ours == cubs ? "the same result" : "ANOTHER RESULT");
    for (void *d :
         {(void *)d_in, (void *)d_ours, (void *)d_cub, (void *)d_work, (void *)d_cub_work})
        CHECK(cudaFree(d));
}

int main()
{
    printf("%12s  %-6s %10s %10s %8s\n", "n", "values", "ours, us", "CUB, us", "CUB/ours");
    for (size_t n = 1 << 16; n <= 1 << 28; n <<= 4) {
        compare(n, false);
        if (sizeof(input_t) == 1) {
            compare(n, true);
        }
    }
}
