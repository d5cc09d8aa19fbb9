// SPDX-License-Identifier: MIT
//
// cuda_fp16.h - half precision for device and host code: __half, __half2 and their functions.
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

#include "simt/narrow.hpp"

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
namespace simt
{
SIMT_TYPE_IS(F16, __half)
}

struct alignas(4) __half2 {
    __half x, y;

    __half2() = default;
    SIMT_INLINE __half2(__half a, __half b) : x(a), y(b) {}
    // As in CUDA's header, so that a struct of pairs is copied pair by pair, not as a whole.
    SIMT_INLINE __half2(const __half2 &other)
    {
        __builtin_memcpy((void *)this, &other, sizeof other);
    }
    SIMT_INLINE __half2 &operator=(const __half2 &other)
    {
        __builtin_memcpy((void *)this, &other, sizeof other);
        return *this;
    }
};

using half = __half;
using half2 = __half2;

// ---- conversions ----

SIMT_FN(__half, __float2half, (float v), __half(v))
SIMT_FN(float, __half2float, (__half v), (float)v)
SIMT_FN(__half, __float2half_rz, (float v), simt::toward_zero(__half(v), v))
SIMT_NARROW_CONVERSIONS(__half, half)

SIMT_FN(__half2, __half2half2, (__half a), __half2(a, a))
SIMT_FN(__half2, __float2half2_rn, (float v), __half2(__half(v), __half(v)))
SIMT_FN(__half2, __float22half2_rn, (float2 v), __half2(__half(v.x), __half(v.y)))
SIMT_FN(float2, __half22float2, (__half2 v), make_float2((float)v.x, (float)v.y))
SIMT_FN(__half2, __floats2half2_rn, (float a, float b), __half2(__half(a), __half(b)))
SIMT_FN(__half2, make_half2, (__half a, __half b), __half2(a, b))

#define NARROW __half
#define NARROW2 __half2
#define NARROW_RAW __half_raw
#define NARROW_FROM_DOUBLE simt_half_from_double
#define NARROW_TO_FLOAT simt_half_to_float
#define NARROW_INFINITY 0x7c00u
#define NARROW_EXPONENT_BITS 5
#include "simt/narrow_ops.hpp"

#endif
#endif
