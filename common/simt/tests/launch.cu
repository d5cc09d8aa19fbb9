// SPDX-License-Identifier: MIT
//
// launch.cu - what the translator must understand, and what a launch must refuse.
#include <string.h>

#include "check.h"

template <typename T, int N, bool FLAG>
__global__ void put(T *out, T value)
{
    out[threadIdx.x] = FLAG ? T(value + N) : value;
}

namespace deep
{
template <int N>
struct outer {
    static __global__ void nested(int *out) { *out = N; }
};
__global__ void plain(int *out, int a, int b)
{
    *out = a * b;
}
} // namespace deep

__global__ void nothing() {}
static __global__ void file_static(int *out)
{
    *out = 77;
}
extern "C" __global__ void c_name(int *out)
{
    *out = 78;
}

struct shape {
    int x, y;
};
__global__ void by_value(int *out, shape s, const int *p)
{
    *out = s.x + s.y + (p == nullptr);
}

__global__ void big_static(int *out)
{
    __shared__ int s_data[10000];
    s_data[threadIdx.x] = 1;
    *out = s_data[threadIdx.x];
}

__global__ void dynamic(int *out, int n)
{
    extern __shared__ int s_all[];
    s_all[n - 1] = 5;
    *out = s_all[n - 1];
}

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

static int *d_out;

static int value()
{
    int v;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&v, d_out, sizeof v, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(d_out, 0, sizeof v));
    return v;
}

static void test_translator(int three)
{
    // A launch in a comment is left alone: put<<<1, 1>>>(d_out, 1);
    /* and here: put<<<1, 1>>>(d_out, 1); */
    const char *text = "put<<<1, 1>>>(d_out, 1);";
    const char *raw = R"(put<<<"1">>>(x))";
    EXPECT(strlen(text) == 24 && strlen(raw) == 15 && 1'000 == 1000);

    put<int, 3, true><<<1, 1>>>(d_out, 1);
    EXPECT(value() == 4);
    put<int, (3 > 2), 1 < 2><<<dim3(1), dim3(1, 1, 1), 0, nullptr>>>(d_out, 1);
    EXPECT(value() == 2);
    if (three > 2)
        put<int, sizeof(int), true> // a comment in between
            <<<(three >> 1),        /* grid */
               1 << 0>>>(d_out, (int)1.0);
    else
        put<int, 0, false><<<1, 1>>>(d_out, 9);
    EXPECT(value() == 5);
    for (int i = 0; i < 2; i++)
        deep::plain<<<1, 1>>>(d_out, i, 21);
    EXPECT(value() == 21);
    deep::outer<12>::nested<<<1, 1>>>(d_out);
    EXPECT(value() == 12);
    file_static<<<1, 1>>>(d_out);
    EXPECT(value() == 77);
    c_name<<<1, 1>>>(d_out);
    EXPECT(value() == 78);
    LAUNCH(deep::plain, d_out, 5, 6);
    EXPECT(value() == 30);
    void (*pointer)(int *, int, int) = deep::plain;
    pointer<<<1, 1>>>(d_out, 7, 8);
    EXPECT(value() == 56);
    by_value<<<1, 1>>>(d_out, shape{1, 2}, nullptr);
    EXPECT(value() == 4);
    switch (three) {
    case 3:
        file_static<<<1, 1>>>(d_out);
        break;
    default:
        break;
    }
    EXPECT(value() == 77);
    nothing<<<1, 1>>>();
    CHECK(cudaGetLastError());
}

static void test_refusals()
{
    nothing<<<1, 1025>>>();
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaSuccess);
    nothing<<<0, 32>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    nothing<<<1, dim3(1, 1, 65)>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    nothing<<<dim3(1, 65536), 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    nothing<<<0x80000000u, 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);

    const int most = 227 * 1024;
    dynamic<<<1, 1, 48 * 1024>>>(d_out, 12 * 1024);
    EXPECT(value() == 5);
    dynamic<<<1, 1, most>>>(d_out, most / 4);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    dynamic<<<1, 1, most>>>(d_out, most / 4);
    EXPECT(value() == 5);
    EXPECT(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1) ==
           cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    big_static<<<1, 1, 8 * 1024>>>(d_out);
    EXPECT(value() == 1);
    big_static<<<1, 1, 10 * 1024>>>(d_out);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, big_static));
    EXPECT(attributes.sharedSizeBytes == 40000);
}

static void test_host_api()
{
    int host[4] = {}, *d_more, blocks;
    EXPECT(cudaMemset(host, 0, sizeof host) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(d_out, d_out, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, d_out, 8, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    EXPECT(cudaFree(host) == cudaErrorInvalidValue);
    EXPECT(cudaMalloc(&d_more, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    EXPECT(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorNotSupported);
    EXPECT(cudaGetLastError() == cudaErrorNotSupported);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    CHECK(cudaMemcpy(host, d_out, 4, cudaMemcpyDefault));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
    EXPECT(blocks == 8);
}

int main()
{
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    CHECK(cudaMemset(d_out, 0, sizeof *d_out));
    test_translator(3);
    test_refusals();
    test_host_api();
    CHECK(cudaFree(d_out));
    return 0;
}
