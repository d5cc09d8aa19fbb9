// SPDX-License-Identifier: MIT
//
// cuda_bf16.h - bfloat16 for device and host code: __nv_bfloat16, __nv_bfloat162, their functions.
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "cuda_runtime.h"

#ifdef __cplusplus

#include "simt/narrow.hpp"

struct __nv_bfloat16_raw {
    unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
    unsigned short bits;

    __nv_bfloat16() = default;
    SIMT_INLINE __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
    SIMT_INLINE __nv_bfloat16(float v) : bits(simt_bfloat16_from_double(v)) {}
    SIMT_INLINE __nv_bfloat16(double v) : bits(simt_bfloat16_from_double(v)) {}
    SIMT_INLINE __nv_bfloat16(int v) : bits(simt_bfloat16_from_double(v)) {}
    SIMT_INLINE __nv_bfloat16(unsigned v) : bits(simt_bfloat16_from_double(v)) {}
    SIMT_INLINE __nv_bfloat16(long long v) : bits(simt_bfloat16_from_double((double)v)) {}
    SIMT_INLINE __nv_bfloat16(unsigned long long v) : bits(simt_bfloat16_from_double((double)v)) {}
    SIMT_INLINE operator float() const { return simt_bfloat16_to_float(bits); }
    SIMT_INLINE operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{bits}; }
};
namespace simt
{
SIMT_TYPE_IS(BF16, __nv_bfloat16)
}

struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    __nv_bfloat162() = default;
    SIMT_INLINE __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
    // As in CUDA's header, so that a struct of pairs is copied pair by pair, not as a whole.
    SIMT_INLINE __nv_bfloat162(const __nv_bfloat162 &other)
    {
        __builtin_memcpy((void *)this, &other, sizeof other);
    }
    SIMT_INLINE __nv_bfloat162 &operator=(const __nv_bfloat162 &other)
    {
        __builtin_memcpy((void *)this, &other, sizeof other);
        return *this;
    }
};

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

// ---- conversions ----

SIMT_FN(__nv_bfloat16, __float2bfloat16, (float v), __nv_bfloat16(v))
SIMT_FN(float, __bfloat162float, (__nv_bfloat16 v), (float)v)
SIMT_FN(__nv_bfloat16, __float2bfloat16_rz, (float v), simt::toward_zero(__nv_bfloat16(v), v))
SIMT_NARROW_CONVERSIONS(__nv_bfloat16, bfloat16)

SIMT_FN(__nv_bfloat162, __bfloat162bfloat162, (__nv_bfloat16 a), __nv_bfloat162(a, a))
SIMT_FN(__nv_bfloat162, __float2bfloat162_rn, (float v),
        __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v)))
SIMT_FN(__nv_bfloat162, __float22bfloat162_rn, (float2 v),
        __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y)))
SIMT_FN(float2, __bfloat1622float2, (__nv_bfloat162 v), make_float2((float)v.x, (float)v.y))
SIMT_FN(__nv_bfloat162, __floats2bfloat162_rn, (float a, float b),
        __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)))
SIMT_FN(__nv_bfloat162, make_bfloat162, (__nv_bfloat16 a, __nv_bfloat16 b), __nv_bfloat162(a, b))

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define NARROW __nv_bfloat16
#define NARROW2 __nv_bfloat162
#define NARROW_RAW __nv_bfloat16_raw
#define NARROW_FROM_DOUBLE simt_bfloat16_from_double
#define NARROW_TO_FLOAT simt_bfloat16_to_float
#define NARROW_INFINITY 0x7f80u
#define NARROW_EXPONENT_BITS 8
#include "simt/narrow_ops.hpp"

#endif
#endif
