/* SPDX-License-Identifier: MIT */
#include "dtype.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- halves ---- */

enum { EXPONENT_BIAS = 15, FRACTION_BITS = 10, HALF_INF = 0x7c00, HALF_NAN = 0x7e00 };

double half_to_double(uint16_t bits)
{
    int exponent = (bits >> FRACTION_BITS) & 0x1f;
    int fraction = bits & 0x3ff;
    double sign = bits & 0x8000 ? -1.0 : 1.0;

    if (exponent == 0x1f)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0) /* subnormal: no hidden bit, and the exponent of the smallest normal */
        return sign * ldexp(fraction, 1 - EXPONENT_BIAS - FRACTION_BITS);
    return sign * ldexp(fraction + 0x400, exponent - EXPONENT_BIAS - FRACTION_BITS);
}

uint16_t half_from_double(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double magnitude = fabs(x);

    if (isnan(x))
        return (uint16_t)(sign | HALF_NAN);
    if (magnitude == 0)
        return sign;
    if (magnitude >= 65520.0) /* halfway between 65504 and 65536, a tie that goes up */
        return (uint16_t)(sign | HALF_INF);

    int exponent; /* magnitude = m * 2^exponent with 0.5 <= m < 1 */
    frexp(magnitude, &exponent);
    if (exponent < 2 - EXPONENT_BIAS)
        exponent = 2 - EXPONENT_BIAS; /* subnormals share the exponent of the smallest normal */

    /* Count in units of the last place. rint() rounds to even, the mode a C program starts in. */
    double units = rint(ldexp(magnitude, FRACTION_BITS + 1 - exponent));

    /*
     * Adding, not or-ing: a carry out of the fraction (units = 0x800) moves into the exponent, and
     * a subnormal (units < 0x400) gets exponent field 0 by itself.
     */
    int field = exponent - 2 + EXPONENT_BIAS;
    return (uint16_t)(sign | ((field << FRACTION_BITS) + (int)units));
}

/* ---- types: to add one, start with dtype_t in step.h; the compiler then names the places here
 * ---- */

static const struct {
    const char *name;
    size_t size;
    int digits;       /* bits of the significand, the hidden one included; 0: whole numbers */
    int min_exponent; /* 2^min_exponent is the smallest normal value */
    double largest;
} TYPES[] = {
    [DTYPE_F32] = {"f32", 4, 24, -126, FLT_MAX}, [DTYPE_F64] = {"f64", 8, 53, -1022, DBL_MAX},
    [DTYPE_I32] = {"i32", 4, 0, 0, INT_MAX},     [DTYPE_F16] = {"f16", 2, 11, -14, 65504.0},
    [DTYPE_U8] = {"u8", 1, 0, 0, UCHAR_MAX},
};
_Static_assert(sizeof TYPES / sizeof TYPES[0] == DTYPE_COUNT, "a line for each dtype_t of step.h");

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
    return TYPES[type].digits > 0;
}

/* memcpy, because a buffer of bytes may hold any type and may not be aligned for it. */
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
    case DTYPE_F16:
        memcpy(&f16, at, sizeof f16);
        return half_to_double(f16);
    case DTYPE_U8:
        return *at;
    case DTYPE_COUNT:
        break;
    }
    abort();
}

/* Converting a double too large for a float is undefined in C, so that case is written out. */
static float float_from_double(double value)
{
    if (fabs(value) >= 0x1.ffffffp127 && !isinf(value)) /* halfway between FLT_MAX and 2^128 */
        return value < 0 ? -INFINITY : INFINITY;
    if (fabs(value) > FLT_MAX && !isinf(value))
        return value < 0 ? -FLT_MAX : FLT_MAX;
    return (float)value;
}

/* Toward 0, saturating, NaN to 0: as step.h defines a cast. C leaves the last two undefined. */
static int32_t integer_from_double(dtype_t type, double value)
{
    return isnan(value) ? 0 : (int32_t)fmax(dtype_lowest(type), fmin(value, dtype_highest(type)));
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
        i32 = integer_from_double(type, value);
        memcpy(at, &i32, sizeof i32);
        return;
    case DTYPE_F16:
        f16 = half_from_double(value);
        memcpy(at, &f16, sizeof f16);
        return;
    case DTYPE_U8:
        *at = (unsigned char)integer_from_double(type, value);
        return;
    case DTYPE_COUNT:
        break;
    }
    abort();
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
    else if (TYPES[type].size == sizeof lowest)
        memcpy(at, &lowest, sizeof lowest);
    else
        *at = (unsigned char)bits;
}

double dtype_round(dtype_t type, double value)
{
    double buffer; /* as large as the largest type */
    dtype_store(type, &buffer, 0, value);
    return dtype_load(type, &buffer, 0);
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
    switch (type) {
    case DTYPE_F32:
    case DTYPE_F64:
    case DTYPE_F16:
        return -(double)INFINITY;
    case DTYPE_I32:
        return INT_MIN;
    case DTYPE_U8:
    case DTYPE_COUNT:
        break;
    }
    return 0;
}

double dtype_highest(dtype_t type)
{
    return dtype_is_float(type) ? (double)INFINITY : TYPES[type].largest;
}
