/* SPDX-License-Identifier: MIT */
#include "dtype.h"

#include "half.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    int digits;       /* bits of the significand, the hidden one included */
    int min_exponent; /* 2^min_exponent is the smallest normal value */
    double largest;
} TYPES[DTYPE_COUNT] = {
    [DTYPE_F32] = {"f32", 4, 24, -126, FLT_MAX},
    [DTYPE_F64] = {"f64", 8, 53, -1022, DBL_MAX},
    [DTYPE_I32] = {"i32", 4, 0, 0, INT_MAX},
    [DTYPE_F16] = {"f16", 2, 11, -14, 65504.0},
};

size_t dtype_size(dtype_t type)
{
    return TYPES[type].size;
}

const char *dtype_name(dtype_t type)
{
    return TYPES[type].name;
}

bool dtype_is_float(dtype_t type)
{
    return type != DTYPE_I32;
}

/* memcpy, because a buffer of bytes may hold any type and need not be aligned for it. */
double dtype_load(dtype_t type, const void *array, size_t i)
{
    const unsigned char *at = (const unsigned char *)array + i * TYPES[type].size;
    float f32;
    double f64;
    int32_t i32;
    uint16_t f16;

    switch (type) {
    case DTYPE_F32:
        memcpy(&f32, at, sizeof f32);
        return f32;
    case DTYPE_F64:
        memcpy(&f64, at, sizeof f64);
        return f64;
    case DTYPE_I32:
        memcpy(&i32, at, sizeof i32);
        return i32;
    default:
        memcpy(&f16, at, sizeof f16);
        return half_to_double(f16);
    }
}

/* A double too large for a float is undefined in C to convert, so that case is written out. */
static float float_from_double(double value)
{
    if (fabs(value) >= 0x1.ffffffp127 && !isinf(value)) /* halfway between FLT_MAX and 2^128 */
        return value < 0 ? -INFINITY : INFINITY;
    if (fabs(value) > FLT_MAX && !isinf(value))
        return value < 0 ? -FLT_MAX : FLT_MAX;
    return (float)value;
}

void dtype_store(dtype_t type, void *array, size_t i, double value)
{
    unsigned char *at = (unsigned char *)array + i * TYPES[type].size;
    float f32;
    int32_t i32;
    uint16_t f16;

    switch (type) {
    case DTYPE_F32:
        f32 = float_from_double(value);
        memcpy(at, &f32, sizeof f32);
        return;
    case DTYPE_F64:
        memcpy(at, &value, sizeof value);
        return;
    case DTYPE_I32:
        i32 = (int32_t)value;
        memcpy(at, &i32, sizeof i32);
        return;
    default:
        f16 = half_from_double(value);
        memcpy(at, &f16, sizeof f16);
    }
}

void dtype_store_bits(dtype_t type, void *array, size_t i, uint64_t bits)
{
    unsigned char *at = (unsigned char *)array + i * TYPES[type].size;
    uint32_t low = (uint32_t)bits;
    uint16_t lowest = (uint16_t)bits;

    if (TYPES[type].size == sizeof bits)
        memcpy(at, &bits, sizeof bits);
    else if (TYPES[type].size == sizeof low)
        memcpy(at, &low, sizeof low);
    else
        memcpy(at, &lowest, sizeof lowest);
}

double dtype_round(dtype_t type, double value)
{
    double room; /* as large as the largest type */
    dtype_store(type, &room, 0, value);
    return dtype_load(type, &room, 0);
}

double dtype_ulp(dtype_t type, double value)
{
    if (!dtype_is_float(type) || !isfinite(value))
        return 0;
    int exponent = TYPES[type].min_exponent;
    if (value != 0 && ilogb(value) > exponent)
        exponent = ilogb(value);
    return ldexp(1, exponent + 1 - TYPES[type].digits);
}

double dtype_roundoff(dtype_t type)
{
    if (!dtype_is_float(type))
        return 0;
    return type == DTYPE_F64 ? 0x1p-53 : 0x1p-24;
}

double dtype_largest(dtype_t type)
{
    return TYPES[type].largest;
}

double dtype_lowest(dtype_t type)
{
    return dtype_is_float(type) ? -(double)INFINITY : INT_MIN;
}

double dtype_highest(dtype_t type)
{
    return dtype_is_float(type) ? (double)INFINITY : INT_MAX;
}
