// SPDX-License-Identifier: MIT
//
// starts.cu - variables of a thread that are read before they have a value: `starts NAME`. What
// `starts right` runs has a value, although it may not look like that.
//
// Group: simt starts
// Run: $WORK/starts $CASE
// Exit: 1
// Count: 2 ^simt:
#include <cuda_fp16.h>

#include "check.h"

// They guess: some of what they warn of is right.
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wsometimes-uninitialized"
#pragma GCC diagnostic ignored "-Wconditional-uninitialized"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"

enum { N = 8 };

static float *d_in, *d_out;

#define KERNEL(name)                                                                               \
    KERNEL_CASE(#name, name, (const float *in, float *out), kernel<<<1, 32>>>(d_in, d_out))

// Case: sum
// Says: simt: s has no value in sum, declared at @1, line 36 reads it
KERNEL(sum)
{
    float s; // 1 sum
    for (int i = 0; i < N; i++)
        s += in[i];
    *out = s;
}

// Case: most - the first comparison reads it
// Says: simt: m has no value in most, declared at @1, line 46 reads it
KERNEL(most)
{
    float least = in[0], m; // 1 most
    for (int i = 0; i < N; i++) {
        if (in[i] > m)
            m = in[i];
        least = min(least, in[i]);
    }
    *out = m - least;
}

// Case: if_positive - not in every iteration, but always before it has a value
// Says: simt: s has no value in if_positive, declared at @1
__device__ float positive(const float *in)
{
    float s; // 1 if_positive
    for (int i = 0; i < N; i++)
        if (in[i] >= 0)
            s += in[i];
    return s;
}
KERNEL(if_positive)
{
    *out = positive(in);
}

// Case: of_halves
// Says: simt: s has no value in of_halves, declared at @1
KERNEL(of_halves)
{
    __half s; // 1 of_halves
    for (int i = 0; i < N; i++)
        s = __hadd(s, __float2half(in[i]));
    *out = __half2float(s);
}

struct stats {
    float sum, most;
    int n;
};

// Case: member
// Says: simt: a has no value in member, declared at @1
KERNEL(member)
{
    stats a; // 1 member
    a.n = 0;
    for (int i = 0; i < N; i++) {
        a.n++;
        a.sum += in[i];
    }
    *out = a.sum / (float)a.n;
}

// Case: vector
// Says: simt: v has no value in vector, declared at @1
KERNEL(vector)
{
    float4 v; // 1 vector
    for (int i = 0; i < N; i += 2) {
        v.x += in[i];
        v.y += in[i + 1];
    }
    *out = v.x * v.y;
}

// Case: array
// Says: simt: tile has no value in any_array, declared at @1
template <typename T>
__global__ void any_array(const T *in, T *out)
{
    T tile[2][4]; // 1 array
    for (int i = 0; i < N; i++)
        tile[i / 4][i % 4] += in[i] * in[0];
    for (int i = 0; i < N; i++)
        out[i] = tile[i / 4][i % 4];
}

CASE(array)
{
    any_array<<<1, 32>>>(d_in, d_out);
}

// Case: counter
// Says: simt: n has no value in counter, declared at @1
KERNEL(counter)
{
    int n; // 1 counter
    for (int i = 0; i < N; i++)
        if (in[i] >= 0)
            ++n;
    *out = (float)n;
}

__device__ void add_to(float &to, float x)
{
    to += x;
}

__device__ void add_both(float x, float &to, float y)
{
    add_to(to, x + y);
}

// Case: reference - the function reads it, or one that it calls
// Says: simt: s has no value in reference, declared at @1
KERNEL(reference)
{
    float s; // 1 reference
    for (int i = 0; i < N; i++)
        add_both(in[i], s, min(in[0], in[1]));
    *out = s;
}

__device__ float plus(float a, float b)
{
    return a + b;
}

// Case: value
// Says: simt: s has no value in value, declared at @1
KERNEL(value)
{
    float s; // 1 value
    out[0] = plus(in[0], s);
}

// ---- right ----

__device__ void over(float &x, float y)
{
    x += y;
}

__device__ void over(int &x, float y)
{
    x = (int)y;
}

__device__ void put_if(float &x, float y)
{
    if (y >= 0)
        x = 0;
    x += y;
}

__device__ float by_functions(const float *in)
{
    float s;
    int n;
    put_if(s, in[0]);
    over(n, in[0]);
    return plus(s, (float)n);
}

struct started {
    float sum = 0;
    __device__ void add(float x) { sum += x; }
};

__device__ void set(float &x)
{
    x = 0;
}

__device__ float by_arms(const float *in, int k)
{
    float s, first, from_switch;
    for (int i = 0; i < N; i++)
        if (i > 0)
            s += in[i];
        else
            s = in[i];
    first = s;
    switch (k) {
    case 0:
        from_switch = first;
        break;
    default:
        from_switch = 0;
    }
    return from_switch + first;
}

__device__ float by_flag(const float *in)
{
    float best, last;
    bool have = false;
    for (int i = 0; i < N; i++) {
        if (!have || (in[i] > best)) {
            best = in[i];
            have = true;
        }
        last = i == 0 ? in[i] : max(last, in[i]);
    }
    return best + last;
}

__device__ float by_others(const float *in)
{
    float a, b, list[4], *p = list, c;
    unsigned bits;
    float &alias = b;
    auto add = [&](float x) { c += x; };
    set(a);
    a += 1;
    alias = 1;
    b += a;
    for (int i = 0; i < 4; i++)
        p[i] = in[i];
    list[0] += list[1];
    c = 0;
    add(b);
    asm("bfind.u32 %0, %1;" : "=r"(bits) : "r"(9u));
    return c + list[0] + (float)(bits + 1);
}

__device__ float by_members(const float *in)
{
    started own, other;
    stats s, copy;
    float4 pack;
    own.add(in[0]);
    other.sum += in[0];
    s.sum = s.most = 1;
    s.n = 0;
    s.n += 1;
    copy = s;
    copy.n++;
    *(float4 *)&pack = *(const float4 *)in;
    pack.x += pack.y;
    return own.sum + other.sum + (float)copy.n + pack.x;
}

__device__ float by_condition(int n)
{
    int left, i, j;
    while ((left = n--) > 5)
        left++;
    for (i = 0, j = 1; i < left; i++)
        j += i;
    return (float)(left + j);
}

union either {
    float number;
    unsigned bits;
};

__device__ float by_union(const float *in)
{
    either e;
    e.number = in[0];
    return (float)(e.bits + 1);
}

// As a binary counter: what is read was stored in an earlier turn.
__device__ float by_turns(const float *in)
{
    float half[6], v = 0;
    for (unsigned i = 0; i < N; i++) {
        unsigned level = 0;
        v = in[i];
        for (; i >> level & 1; level++)
            v += half[level];
        half[level] = v;
    }
    return v;
}

// Case: right
// Exit: 0
// Count: 0 .
KERNEL(right)
{
    out[0] = by_arms(in, 0) + by_flag(in);
    out[1] = by_others(in) + by_members(in) + by_union(in) + by_condition(N);
    out[2] = by_functions(in) + by_turns(in);
}

int main(int, char **argv)
{
    CHECK(cudaMalloc(&d_in, N * sizeof *d_in));
    CHECK(cudaMalloc(&d_out, N * sizeof *d_out));
    CHECK(cudaMemset(d_in, 0, N * sizeof *d_in));
    run_cases(argv[1]);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return 0;
}
