// SPDX-License-Identifier: MIT
//
// names.cu - kernels that share a name, arguments of every size, launches from templates and
// lambdas; and functions with the names that the emulator uses inside. Of these a program sees only
// CUDA's API, the hooks and simt_*.
//
// Group: simt
// Case: names
// Run: $WORK/names
// Case: names_hidden - all others of the emulator are
// Run: nm -g --defined-only $BUILD/simt/libsimt.a | awk 'NF == 3 { print $3 }' >$WORK/names.txt
// Run: grep -q '^cudaMalloc$' $WORK/names.txt
// Run: ! grep -vE '^_*(simt_|cuda|nvtx|__tsan_|__ubsan_|__assert_fail$)' $WORK/names.txt
#include "check.h"

// ---- the program may use these names: the emulator's own are hidden ----

int sim = 1;

extern "C" int lane_stop(int x)
{
    return x + sim;
}
extern "C" int memory_find(int x)
{
    return x + 2;
}
extern "C" __device__ int race_memory(int x)
{
    return x + 3;
}
extern "C" __global__ void warp_choose(int *out)
{
    *out = race_memory(10);
}
__device__ int race_check(int x)
{
    return x + 4;
}
__global__ void warp_step(int *out)
{
    *out = race_check(10);
}

// ---- one name, several kernels ----

__global__ void same(int *out, int x)
{
    *out = x;
}
__global__ void same(int *out, double x)
{
    *out = (int)(x * 4);
}
namespace first
{
__global__ void same(int *out, int x)
{
    *out = x + 100;
}
namespace second
{
__global__ void same(int *out, int x)
{
    *out = x + 200;
}
} // namespace second
} // namespace first
namespace
{
__global__ void hidden(int *out, int x)
{
    *out = x + 300;
}
} // namespace

// ---- arguments by value; clang copies those of more than 128 bytes by a call of memcpy() ----

template <int N>
struct pack_t {
    int value[N];
};

template <int N>
__global__ void sum_pack(int *out, pack_t<N> before, char odd, const pack_t<N> after)
{
    int sum = odd;
    for (int i = 0; i < N; i++)
        sum += before.value[i] + 2 * after.value[i];
    *out = sum;
}

// ---- launches in odd places ----

template <typename T>
static void launch_same(int *d_out, T x)
{
    same<<<1, 1>>>(d_out, x);
}

struct launcher_t {
    int *d_out;
    void operator()(int x) const { first::same<<<1, 1>>>(d_out, x); }
};

static int *d_out;

static int result()
{
    int out = -1;
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    return out;
}

template <int N>
static void test_pack()
{
    pack_t<N> before, after;
    int expected = 7;
    for (int i = 0; i < N; i++) {
        before.value[i] = i;
        after.value[i] = 3 * i;
        expected += 7 * i;
    }
    sum_pack<<<2, 64>>>(d_out, before, 7, after);
    EXPECT(result() == expected);
}

static void test_own_names()
{
    EXPECT(lane_stop(1) == 2 && memory_find(1) == 3);
    warp_choose<<<1, 1>>>(d_out);
    EXPECT(result() == 13);
    warp_step<<<1, 1>>>(d_out);
    EXPECT(result() == 14);
}

static void test_same_names()
{
    same<<<1, 1>>>(d_out, 5);
    EXPECT(result() == 5);
    same<<<1, 1>>>(d_out, 1.5);
    EXPECT(result() == 6);
    ::first::second::same<<<1, 1>>>(d_out, 5);
    EXPECT(result() == 205);
    using namespace first::second;
    hidden<<<1, 1>>>(d_out, 5);
    EXPECT(result() == 305);
}

static void test_places()
{
    launch_same(d_out, 8);
    EXPECT(result() == 8);
    launch_same(d_out, 2.5);
    EXPECT(result() == 10);
    launcher_t{d_out}(8);
    EXPECT(result() == 108);
    const auto by_copy = [=](int x) { first::second::same<<<1, 1>>>(d_out, x); };
    by_copy(9);
    EXPECT(result() == 209);
    const auto generic = [&](auto x, auto... more) {
        same<<<1, sizeof...(more)>>>(d_out, (x + ... + more));
    };
    generic(1, 2, 3);
    EXPECT(result() == 6);
}

int main()
{
    CHECK(cudaMalloc(&d_out, sizeof *d_out));
    test_own_names();
    test_same_names();
    test_pack<1>();
    test_pack<32>();
    test_pack<33>();
    test_pack<500>();
    test_places();
    CHECK(cudaFree(d_out));
    return 0;
}
