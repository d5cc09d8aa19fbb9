// SPDX-License-Identifier: MIT
//
// subset_rules.cu - what looks like a mistake of refused/nvcc.txt but is correct: one name for two
// things, functions for host and device, host constants, kernels of all forms.
#include "check.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

// ---- one name, two things ----

template <typename T>
struct box {
    T v;
    box(T a, T b) : v(a + b) {}
};
__device__ int load(int a)
{
    return a;
}
int declares_a_name_of_the_device()
{
    box<int> load(1, 2);
    const std::pair<box<int>, int> f(load, 3);
    return load.v + f.second;
}

int f(int a)
{
    return a;
}
__device__ float f(float a)
{
    return a + 1;
}
namespace host
{
int g(int a)
{
    return a + 2;
}
int size(const std::vector<int> &v)
{
    return (int)v.size();
}
} // namespace host
namespace dev
{
__device__ int g(int a)
{
    return a + 3;
}
__device__ int count(int a)
{
    return a;
}
} // namespace dev

int get(int a)
{
    return a;
}
int n = 3, width = 4;
float *data;
struct item {
    int n;
    __device__ int get(int x) const { return n + x; }
    __device__ int two() const { return get(2) + n; }
    __host__ __device__ int both() const { return n; }
};

struct add {
    __device__ int operator()(int a) const { return a + 1; }
};
__global__ void values(int *out, std::pair<int, int> given, int (*host_size)(int))
{
    const std::pair<int, int> copy = given;
    auto [n, width] = make_int2(3, 4);
    const auto [get, g] = make_int2(0, n - 3);
    auto const [data, host_g] = make_int2(get, g);
    volatile auto [volatile_x, volatile_y] = make_int2(data, host_g);
    enum { area = 5 };
    out[0] =
        copy.first + n + width + area + volatile_x + volatile_y + std::numeric_limits<int>::digits;
    if (host_size)
        out[0] = host_size(1) + (int)sizeof(std::vector<int>);
}

template <typename F>
__global__ void same_names(int *out, F f, int n, item v)
{
    int width(n), data = width + (int)sizeof(::width);
    decltype(host::g(1)) x = 1;
    struct local {
        __device__ int host_size(int a) { return a; }
    } l;
    auto area = [=](int a) { return a * n; };
    for (int get = 0; get < 1; get++)
        data += get;
    const int last = f([](int last) { return last - 1; }(n));
    *out = f(n) + data + x + v.get(1) + v.two() + v.both() + dev::g(1) + dev::count(1) +
           l.host_size(1) + area(2) + (int)::f(1.0f) + last;
}

int host_size(int a)
{
    return a;
}
int area(int a)
{
    return a;
}

// ---- declared one way, defined another ----

__device__ int later(int a);
__host__ __device__ int both(int a);
struct outside {
    int a;
    __device__ outside(int x);
    outside() = default;
    __device__ int get() const;
};
int later(int a)
{
    return a + 5;
}
int both(int a)
{
    return a + 6;
}
__device__ outside::outside(int x) : a(x) {}
__device__ int outside::get() const
{
    return a;
}

// ---- host constants, and the part of the library that a GPU has ----

const int N = 3;
constexpr float HALF = 0.5f;
enum { M = 4 };
struct constants {
    static const int a = 3;
    static constexpr int b = 4;
};

__global__ void constant_kernel(float *out)
{
    int a[N + M] = {N, M};
    char text[8];
    memset(text, 0, sizeof text);
    memcpy(a, text, sizeof text);
    const outside o(4);
    out[0] =
        HALF + (float)(constants::a + constants::b + a[0] + abs(-3) + o.get() + both(later(0)));
    out[1] = std::sqrt(4.0f) + std::fabs(-1.0f) + std::pow(2.0f, 2.0f) + (float)std::isnan(0.0f);
    out[2] = std::forward<float>(out[0]) + (float)std::is_same<int, float>::value;
    if (out[2] < 0.0f)
        printf("%f\n", out[2]);
}

// ---- kernels of all forms ----

template <typename T>
__global__ typename std::enable_if<std::is_integral<T>::value>::type form(T *out)
{
    *out = 1;
}
template <typename T>
__global__ std::enable_if_t<!std::is_integral<T>::value> form(T *out)
{
    *out = 2;
}
void __global__ __launch_bounds__(2 * 32, sizeof(int)) form_2(int *out)
{
    *out = 3;
}
__global__ auto form_3(int *out, unsigned int (*)[3], int = 3) -> void
{
    *out = 4;
}
struct with_friend {
    int a;
    friend __global__ void form_4(with_friend w, int *out);
};
__global__ void form_4(with_friend w, int *out)
{
    *out = w.a;
}
typedef void (*kernel_t)(int *);
static kernel_t choose(bool second)
{
    return second ? form_2 : form<int>;
}

static int launches(int *d_out)
{
    __global__ void form_2(int *);
    int sum = 0;
    const auto add = [&]() { sum += at(d_out, 0); };
    choose(false)<<<1, 1>>>(d_out), add();
    choose(true)<<<1, 1>>>(d_out), add();
    form_3<<<1, 1>>>(d_out, nullptr), add();
    form_4<<<1, 1>>>(with_friend{10}, d_out), add();
    const kernel_t kernels[] = {form_2, form<int>};
    for (const kernel_t k : kernels)
        (*k)<<<1, 1>>>(d_out), add();
    if (sum > 0)
        kernels[0]<<<1, 1>>>(d_out);
    return sum;
}

// ---- 48 KiB are allowed; arrays out of scope do not count ----

__global__ void shared_kernel(float *out)
{
    __shared__ float a[12288 - 64];
    a[threadIdx.x] = out[threadIdx.x];
    for (int pass = 0; pass < 2; pass++) {
        __shared__ float b[32];
        __syncthreads();
        b[threadIdx.x] = a[threadIdx.x ^ 1];
        __syncthreads();
        a[threadIdx.x] = b[threadIdx.x] + 1;
    }
    const int size = 32;
    __shared__ float c[size];
    c[threadIdx.x] = a[threadIdx.x];
    out[threadIdx.x] = c[threadIdx.x];
}

// ---- an index with a division, of an array that is chosen there: packs.c ----

static __device__ int *moved(bool two, int *p)
{
    return p + (two ? 2 : 1);
}
static __global__ void chosen(int *out)
{
    __shared__ int s_even[8], s_odd[8], s_rows[2][2][8];
    const unsigned t = threadIdx.x;
    (t % 2 ? s_odd : s_even)[t / 2] = (int)t;
    ((t % 2 ? s_rows[0] : (s_rows[1])))[t / 16][t % 16 / 2] = (int)t;
    __syncthreads();
    out[t] = (int)(t % 2 ? s_odd : s_even)[t / 2];
    out[t] += (t < 4 ? s_rows[1] : t < 8 ? s_rows[1] : s_rows[0])[0][t / 2];
    if (t == 15)
        (t ? out + 15 : out)[t / 16] = moved(t ? 1 : 0, s_even)[t / 16];
}
static int host_chosen()
{
    int a[2] = {1, 2}, b[2] = {3, 4}, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (i + 1) * (i % 2 ? b : a)[i / 2];
    return sum;
}

// ---- __device__ variables, which the host names but does not use, or uses another one of that
// name ----

static __device__ int d_number, d_row[4];
static __device__ int *d_pointer;
static __constant__ int c_number;
static __device__ const int d_size = 5;

template <typename T>
static cudaError_t set(T &symbol, T value)
{
    return cudaMemcpyToSymbol(symbol, &value, sizeof value);
}
static __global__ void read_variables(int *out)
{
    *out = d_number + d_row[1] + c_number + d_size + *d_pointer;
}
static int hides_them(int d_number)
{
    struct {
        int d_row;
    } own = {d_number};
    for (int c_number = 0; c_number < 2; c_number++)
        own.d_row += c_number;
    return own.d_row;
}
static int variables(int *d_out)
{
    int h_row[sizeof d_row / sizeof(d_row[0])] = {0, 2}, h_size[d_size] = {3}, *d_found;
    const void *symbol = (const void *)d_row;
    CHECK(cudaMemcpyToSymbol(d_row, h_row, sizeof(d_row)));
    CHECK(cudaMemcpyToSymbol(d_row[1], h_row + 1, sizeof(int)));
    CHECK(cudaMemcpyToSymbol(c_number, h_size, sizeof c_number, 0, cudaMemcpyHostToDevice));
    CHECK(set(d_number, hides_them(4)));
    CHECK(cudaGetSymbolAddress((void **)&d_found, symbol));
    CHECK(cudaMemset(d_found, 0, 4));
    CHECK(cudaMemcpyToSymbol(d_pointer, &d_found, sizeof(d_pointer)));
    read_variables<<<1, 1>>>(d_out);
    return at(d_out, 0);
}

int main()
{
    float *d_values;
    CHECK(cudaMalloc(&d_values, 32 * sizeof *d_values));
    CHECK(cudaMemset(d_values, 0, 32 * sizeof *d_values));
    same_names<<<1, 1>>>((int *)d_values, add(), 1, item{5});
    EXPECT(at((int *)d_values, 0) == 2 + (1 + 4) + 1 + 6 + 12 + 5 + 4 + 1 + 1 + 2 + 2 + 1);
    EXPECT(f(1) + host::g(1) + get(1) + n + host_size(1) + area(1) + both(1) == 17);
    EXPECT(declares_a_name_of_the_device() == 6);
    EXPECT(host::size(std::vector<int>(2)) == 2 && item{6}.both() == 6 && data == nullptr);
    values<<<1, 1>>>((int *)d_values, std::make_pair(1, 2), nullptr);
    EXPECT(at((int *)d_values, 0) == 1 + 3 + 4 + 5 + 31);
    constant_kernel<<<1, 1>>>(d_values);
    EXPECT(at(d_values, 0) == 0.5f + 7 + 3 + 4 + 11 && at(d_values, 1) == 7.0f);
    EXPECT(launches((int *)d_values) == 1 + 3 + 4 + 10 + 3 + 1);
    EXPECT(variables((int *)d_values) == 5 + 2 + 3 + 5 + 0);
    CHECK(cudaMemset(d_values, 0, 32 * sizeof *d_values));
    shared_kernel<<<1, 32>>>(d_values);
    EXPECT(at(d_values, 31) == 2.0f);
    chosen<<<1, 16>>>((int *)d_values);
    for (int t = 0; t < 15; t++)
        EXPECT(at((int *)d_values, (size_t)t) == t + t / 2 * 2 + (t >= 8));
    EXPECT(at((int *)d_values, 15) == 4 && host_chosen() == 1 + 2 * 3 + 3 * 2 + 4 * 4);
    return 0;
}
