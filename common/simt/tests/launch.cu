// SPDX-License-Identifier: MIT
// OPTIONS --extended-lambda
//
// launch.cu - what the translator must understand, and what a launch must refuse.
//
// Group: simt
// Case: launch - it tries what fails
// Run: $WORK/launch 2>/dev/null
#include <string.h>
#include <sys/resource.h>

#include "check.h"

template <typename T, int N, bool FLAG>
__global__ void put(T *out, T value)
{
    out[threadIdx.x] = FLAG ? T(value + N) : value;
}

namespace deep
{
namespace outer
{
template <int N>
__global__ void nested(int *out)
{
    *out = N;
}
} // namespace outer
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

// Arguments are copied once, on the host, and end there: the numbers are counted.
struct counted {
    static int copies, ends;
    int value, more[40];
    explicit counted(int v) : value(v) {}
    counted(const counted &other) : value(other.value) { copies++; }
    ~counted() { ends++; }
};
int counted::copies, counted::ends;
struct assigned { // it has its own operator=, but a default copy constructor
    float x;
    explicit assigned(float v) : x(v) {}
    assigned(const assigned &) = default;
    assigned &operator=(const assigned &other)
    {
        x = other.x;
        return *this;
    }
};
struct not_copied {
    explicit not_copied(int *p) : target(p) {}
    not_copied(not_copied &&) = default;
    int *target;
};
template <typename F>
__global__ void many(F f, counted c, assigned a, not_copied n, const counted d)
{
    c.value += (int)threadIdx.x; // a thread's own
    if (threadIdx.x == 31)
        *n.target = f(c.value + d.value) + (int)a.x; // 2 * (40 + 31 + 50) + 3
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
    deep::outer::nested<12><<<1, 1>>>(d_out);
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
    const counted fifty(50);
    many<<<2, 32>>>([=] __device__(int v) { return v * (three - 1); }, counted(40), assigned(3.0f),
                    not_copied(d_out), fifty);
    EXPECT(value() == 245 && counted::copies == 1 && counted::ends == 2);
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

static long resident_mib()
{
    struct rusage usage;
    EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_maxrss / 1024;
}

// Memory costs nothing until it is touched, holds 0xff, and is far from other memory.
static void test_memory()
{
    enum { MANY = 70000 }; // more than a process may map
    static char *d_many[MANY];
    unsigned char *d_large, *d_next, h[3];
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const size_t bytes = free_bytes / 2 < (size_t)4 << 30 ? free_bytes / 2 : (size_t)4 << 30;
    const long before = resident_mib();
    CHECK(cudaMalloc(&d_large, bytes));
    CHECK(cudaMalloc(&d_next, 10));
    for (int i = 0; i < 3; i++)
        CHECK(cudaMemcpy(&h[i], d_large + (bytes - 1) / 2 * i, 1, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 0xff && h[1] == 0xff && h[2] == 0xff);

    EXPECT(resident_mib() - before < 64);
    EXPECT(d_next >= d_large + bytes + (1 << 20) || d_next + (1 << 20) <= d_large);
    CHECK(cudaMemset(d_large, 7, 1));
    CHECK(cudaFree(d_large));
    CHECK(cudaFree(d_next));
    CHECK(cudaMalloc(&d_large, bytes));
    CHECK(cudaMemcpy(h, d_large, 1, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 0xff);
    CHECK(cudaFree(d_large));
    for (int i = 0; i < MANY; i++)
        CHECK(cudaMalloc(&d_many[i], 1 + (size_t)i % 500));
    for (int i = MANY; i-- > 0;)
        CHECK(cudaFree(d_many[i]));
}

int main()
{
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    CHECK(cudaMemset(d_out, 0, sizeof *d_out));
    test_translator(3);
    test_refusals();
    test_memory();
    CHECK(cudaFree(d_out));
    return 0;
}
