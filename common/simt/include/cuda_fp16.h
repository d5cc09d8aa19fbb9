// SPDX-License-Identifier: MIT
//
// cuda_fp16.h - half precision for device and host code: __half, __half2 and their functions.
//
// Each operation computes in float or double and rounds once to half, to nearest even. That gives
// the same bits as hardware: float has more than twice the digits of half, so sum, product and
// quotient come out right, and a fused multiply-add goes through double.
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

#include <limits>
#include <math.h>

struct __half_raw {
    unsigned short x;
};

struct alignas(2) __half {
    unsigned short bits;

    __half() = default;
    SIMT_INLINE __half(__half_raw raw) : bits(raw.x) {}
    SIMT_INLINE __half(float v) : bits(simt_half_from_double(v)) {}
    SIMT_INLINE __half(double v) : bits(simt_half_from_double(v)) {}
    SIMT_INLINE __half(int v) : bits(simt_half_from_double(v)) {}
    SIMT_INLINE __half(unsigned v) : bits(simt_half_from_double(v)) {}
    SIMT_INLINE __half(long long v) : bits(simt_half_from_double((double)v)) {}
    SIMT_INLINE __half(unsigned long long v) : bits(simt_half_from_double((double)v)) {}
    SIMT_INLINE operator float() const { return simt_half_to_float(bits); }
    SIMT_INLINE operator __half_raw() const { return __half_raw{bits}; }
};

struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    SIMT_INLINE __half2(__half a, __half b) : x(a), y(b) {}
};

using half = __half;
using half2 = __half2;

// ---- conversions ----

SIMT_INLINE __half __float2half(float v)
{
    return __half(v);
}
SIMT_INLINE __half __float2half_rn(float v)
{
    return __half(v);
}
SIMT_INLINE __half __double2half(double v)
{
    return __half(v);
}
SIMT_INLINE __half __int2half_rn(int v)
{
    return __half(v);
}
SIMT_INLINE float __half2float(__half v)
{
    return (float)v;
}
SIMT_INLINE int __half2int_rn(__half v)
{
    return (int)rintf((float)v);
}
SIMT_INLINE int __half2int_rz(__half v)
{
    return (int)(float)v;
}
SIMT_INLINE __half __ushort_as_half(unsigned short bits)
{
    return __half_raw{bits};
}
SIMT_INLINE unsigned short __half_as_ushort(__half v)
{
    return v.bits;
}
SIMT_INLINE __half __short_as_half(short bits)
{
    return __half_raw{(unsigned short)bits};
}
SIMT_INLINE short __half_as_short(__half v)
{
    return (short)v.bits;
}

SIMT_INLINE __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
SIMT_INLINE __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
SIMT_INLINE __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
SIMT_INLINE __half2 __float2half2_rn(float v)
{
    return __half2(__half(v), __half(v));
}
SIMT_INLINE __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__half(a), __half(b));
}
SIMT_INLINE __half2 __float22half2_rn(float2 v)
{
    return __half2(__half(v.x), __half(v.y));
}
SIMT_INLINE float2 __half22float2(__half2 v)
{
    return make_float2((float)v.x, (float)v.y);
}
SIMT_INLINE __half __low2half(__half2 v)
{
    return v.x;
}
SIMT_INLINE __half __high2half(__half2 v)
{
    return v.y;
}
SIMT_INLINE float __low2float(__half2 v)
{
    return (float)v.x;
}
SIMT_INLINE float __high2float(__half2 v)
{
    return (float)v.y;
}
SIMT_INLINE __half2 __lowhigh2highlow(__half2 v)
{
    return __half2(v.y, v.x);
}

// ---- arithmetic ----

SIMT_INLINE __half __hadd(__half a, __half b)
{
    return __half((float)a + (float)b);
}
SIMT_INLINE __half __hsub(__half a, __half b)
{
    return __half((float)a - (float)b);
}
SIMT_INLINE __half __hmul(__half a, __half b)
{
    return __half((float)a * (float)b);
}
SIMT_INLINE __half __hdiv(__half a, __half b)
{
    return __half((float)a / (float)b);
}
SIMT_INLINE __half __hneg(__half a)
{
    return __half_raw{(unsigned short)(a.bits ^ 0x8000u)};
}
SIMT_INLINE __half __habs(__half a)
{
    return __half_raw{(unsigned short)(a.bits & 0x7fffu)};
}

// The product of two halves is exact in a double, and so is the sum as far as rounding can tell.
SIMT_INLINE __half __hfma(__half a, __half b, __half c)
{
    return __half((double)(float)a * (double)(float)b + (double)(float)c);
}

SIMT_INLINE bool __hisnan(__half a)
{
    return (a.bits & 0x7fffu) > 0x7c00u;
}
SIMT_INLINE int __hisinf(__half a)
{
    return (a.bits & 0x7fffu) != 0x7c00u ? 0 : a.bits & 0x8000u ? -1 : 1;
}

// A NaN loses against a number in hmax and wins in hmax_nan.
SIMT_INLINE __half __hmax(__half a, __half b)
{
    return __half(fmaxf((float)a, (float)b));
}
SIMT_INLINE __half __hmin(__half a, __half b)
{
    return __half(fminf((float)a, (float)b));
}
SIMT_INLINE __half __hmax_nan(__half a, __half b)
{
    return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __hmax(a, b);
}
SIMT_INLINE __half __hmin_nan(__half a, __half b)
{
    return __hisnan(a) || __hisnan(b) ? __ushort_as_half(0x7fff) : __hmin(a, b);
}

SIMT_INLINE bool __heq(__half a, __half b)
{
    return (float)a == (float)b;
}
SIMT_INLINE bool __hne(__half a, __half b)
{
    return (float)a != (float)b;
}
SIMT_INLINE bool __hlt(__half a, __half b)
{
    return (float)a < (float)b;
}
SIMT_INLINE bool __hle(__half a, __half b)
{
    return (float)a <= (float)b;
}
SIMT_INLINE bool __hgt(__half a, __half b)
{
    return (float)a > (float)b;
}
SIMT_INLINE bool __hge(__half a, __half b)
{
    return (float)a >= (float)b;
}

// Operators for half, and for both members of half2.
#define SIMT_HALF_OPERATOR(op, name)                                                               \
    SIMT_INLINE __half operator op(__half a, __half b)                                             \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    SIMT_INLINE __half &operator op##=(__half &a, __half b)                                        \
    {                                                                                              \
        a = name(a, b);                                                                            \
        return a;                                                                                  \
    }                                                                                              \
    SIMT_INLINE __half2 name##2(__half2 a, __half2 b)                                              \
    {                                                                                              \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                            \
    }                                                                                              \
    SIMT_INLINE __half2 operator op(__half2 a, __half2 b)                                          \
    {                                                                                              \
        return name##2(a, b);                                                                      \
    }                                                                                              \
    SIMT_INLINE __half2 &operator op##=(__half2 &a, __half2 b)                                     \
    {                                                                                              \
        a = name##2(a, b);                                                                         \
        return a;                                                                                  \
    }
SIMT_HALF_OPERATOR(+, __hadd)
SIMT_HALF_OPERATOR(-, __hsub)
SIMT_HALF_OPERATOR(*, __hmul)
#undef SIMT_HALF_OPERATOR

SIMT_INLINE __half operator/(__half a, __half b)
{
    return __hdiv(a, b);
}
SIMT_INLINE __half &operator/=(__half &a, __half b)
{
    return a = __hdiv(a, b);
}
SIMT_INLINE __half operator-(__half a)
{
    return __hneg(a);
}
SIMT_INLINE __half operator+(__half a)
{
    return a;
}
SIMT_INLINE bool operator==(__half a, __half b)
{
    return __heq(a, b);
}
SIMT_INLINE bool operator!=(__half a, __half b)
{
    return __hne(a, b);
}
SIMT_INLINE bool operator<(__half a, __half b)
{
    return __hlt(a, b);
}
SIMT_INLINE bool operator<=(__half a, __half b)
{
    return __hle(a, b);
}
SIMT_INLINE bool operator>(__half a, __half b)
{
    return __hgt(a, b);
}
SIMT_INLINE bool operator>=(__half a, __half b)
{
    return __hge(a, b);
}

SIMT_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SIMT_INLINE __half2 __hmax2(__half2 a, __half2 b)
{
    return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
SIMT_INLINE __half2 __hmin2(__half2 a, __half2 b)
{
    return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}

#define SIMT_HALF_MATH(name, function)                                                             \
    SIMT_INLINE __half name(__half a)                                                              \
    {                                                                                              \
        return __half(function((double)(float)a));                                                 \
    }
SIMT_HALF_MATH(hsqrt, sqrt)
SIMT_HALF_MATH(hrsqrt, rsqrt)
SIMT_HALF_MATH(hexp, exp)
SIMT_HALF_MATH(hexp2, exp2)
SIMT_HALF_MATH(hlog, log)
SIMT_HALF_MATH(hlog2, log2)
SIMT_HALF_MATH(hsin, sin)
SIMT_HALF_MATH(hcos, cos)
SIMT_HALF_MATH(hrint, rint)
SIMT_HALF_MATH(hfloor, floor)
SIMT_HALF_MATH(hceil, ceil)
SIMT_HALF_MATH(hrcp, 1.0 /)
#undef SIMT_HALF_MATH

template <>
struct std::numeric_limits<__half> : std::numeric_limits<float> {
    static constexpr int digits = 11, digits10 = 3, max_exponent = 16, min_exponent = -13;
    static __half lowest() { return __ushort_as_half(0xfbff); }
    static __half max() { return __ushort_as_half(0x7bff); }
    static __half min() { return __ushort_as_half(0x0400); }
    static __half epsilon() { return __ushort_as_half(0x1400); }
    static __half infinity() { return __ushort_as_half(0x7c00); }
    static __half quiet_NaN() { return __ushort_as_half(0x7fff); }
};

#endif
#endif
