// SPDX-License-Identifier: MIT
//
// math.hpp - device functions that <cmath> does not have. The fast versions (__expf and others)
// are as exact as the plain ones here; a GPU may differ in the last bits.
#ifndef SIMT_MATH_HPP
#define SIMT_MATH_HPP

#include <math.h>

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.hpp"

// min and max of numbers. With one unsigned argument the result is unsigned, as in CUDA.
#define SIMT_MIN_MAX(type)                                                                         \
    SIMT_INLINE constexpr type min(type a, type b)                                                 \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    SIMT_INLINE constexpr type max(type a, type b)                                                 \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned int)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX

#define SIMT_MIXED_MIN_MAX(a_type, b_type, type)                                                   \
    SIMT_INLINE constexpr type min(a_type a, b_type b)                                             \
    {                                                                                              \
        return min((type)a, (type)b);                                                              \
    }                                                                                              \
    SIMT_INLINE constexpr type max(a_type a, b_type b)                                             \
    {                                                                                              \
        return max((type)a, (type)b);                                                              \
    }
SIMT_MIXED_MIN_MAX(int, unsigned int, unsigned int)
SIMT_MIXED_MIN_MAX(unsigned int, int, unsigned int)
SIMT_MIXED_MIN_MAX(long, unsigned long, unsigned long)
SIMT_MIXED_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIXED_MIN_MAX(long long, unsigned long long, unsigned long long)
SIMT_MIXED_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef SIMT_MIXED_MIN_MAX

// A NaN loses against a number, as in fminf.
SIMT_INLINE float min(float a, float b)
{
    return fminf(a, b);
}
SIMT_INLINE float max(float a, float b)
{
    return fmaxf(a, b);
}
SIMT_INLINE double min(double a, double b)
{
    return fmin(a, b);
}
SIMT_INLINE double max(double a, double b)
{
    return fmax(a, b);
}
SIMT_INLINE double min(float a, double b)
{
    return fmin((double)a, b);
}
SIMT_INLINE double max(float a, double b)
{
    return fmax((double)a, b);
}
SIMT_INLINE double min(double a, float b)
{
    return fmin(a, (double)b);
}
SIMT_INLINE double max(double a, float b)
{
    return fmax(a, (double)b);
}

SIMT_INLINE float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
SIMT_INLINE double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
SIMT_INLINE float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}
SIMT_INLINE double normcdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
SIMT_INLINE float normcdff(float x)
{
    return (float)normcdf((double)x);
}

SIMT_INLINE float __expf(float x)
{
    return expf(x);
}
SIMT_INLINE float __exp10f(float x)
{
    return powf(10.0f, x);
}
SIMT_INLINE float __logf(float x)
{
    return logf(x);
}
SIMT_INLINE float __log2f(float x)
{
    return log2f(x);
}
SIMT_INLINE float __log10f(float x)
{
    return log10f(x);
}
SIMT_INLINE float __powf(float x, float y)
{
    return powf(x, y);
}
SIMT_INLINE float __sinf(float x)
{
    return sinf(x);
}
SIMT_INLINE float __cosf(float x)
{
    return cosf(x);
}
SIMT_INLINE float __tanf(float x)
{
    return tanf(x);
}
SIMT_INLINE float __tanhf(float x)
{
    return tanhf(x);
}
SIMT_INLINE float __saturatef(float x)
{
    return fminf(fmaxf(x, 0.0f), 1.0f);
}

// Rounded to nearest, and never fused with a neighbour: simtcc forbids contraction.
SIMT_INLINE float __fadd_rn(float a, float b)
{
    return a + b;
}
SIMT_INLINE float __fsub_rn(float a, float b)
{
    return a - b;
}
SIMT_INLINE float __fmul_rn(float a, float b)
{
    return a * b;
}
SIMT_INLINE float __fmaf_rn(float a, float b, float c)
{
    return fmaf(a, b, c);
}
SIMT_INLINE float __fdiv_rn(float a, float b)
{
    return a / b;
}
SIMT_INLINE float __fdividef(float a, float b)
{
    return a / b;
}
SIMT_INLINE float __frcp_rn(float a)
{
    return 1.0f / a;
}
SIMT_INLINE float __fsqrt_rn(float a)
{
    return sqrtf(a);
}
SIMT_INLINE float __frsqrt_rn(float a)
{
    return (float)(1.0 / sqrt((double)a));
}
SIMT_INLINE double __dadd_rn(double a, double b)
{
    return a + b;
}
SIMT_INLINE double __dmul_rn(double a, double b)
{
    return a * b;
}
SIMT_INLINE double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}

SIMT_INLINE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
SIMT_INLINE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
SIMT_INLINE int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}
SIMT_INLINE int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
SIMT_INLINE int __ffs(int x)
{
    return __builtin_ffs(x);
}
SIMT_INLINE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

SIMT_INLINE unsigned __brev(unsigned x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}

SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}
SIMT_INLINE int __mulhi(int a, int b)
{
    return (int)((int64_t)a * b >> 32);
}
SIMT_INLINE int __mul24(int a, int b)
{
    return a * b;
}
SIMT_INLINE unsigned __umul24(unsigned a, unsigned b)
{
    return a * b;
}

// The same bits under another type.
namespace simt
{
template <typename To, typename From>
SIMT_INLINE To bits_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace simt

SIMT_INLINE int __float_as_int(float x)
{
    return simt::bits_as<int>(x);
}
SIMT_INLINE unsigned __float_as_uint(float x)
{
    return simt::bits_as<unsigned>(x);
}
SIMT_INLINE float __int_as_float(int x)
{
    return simt::bits_as<float>(x);
}
SIMT_INLINE float __uint_as_float(unsigned x)
{
    return simt::bits_as<float>(x);
}
SIMT_INLINE long long __double_as_longlong(double x)
{
    return simt::bits_as<long long>(x);
}
SIMT_INLINE double __longlong_as_double(long long x)
{
    return simt::bits_as<double>(x);
}

#endif
