/* SPDX-License-Identifier: MIT */
/*
 * numbers.c - what a GPU has and C lacks: 16-bit numbers, operations with a given rounding mode,
 * and the inverse of the error function.
 */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "inside.h"

/* ---- half precision: 1 sign bit, 5 of exponent, 10 of fraction; bfloat16: 1, 8 and 7 ---- */

/*
 * Rounds to nearest, ties to even, to a 16-bit number with `digits` bits of fraction and `largest`
 * as its largest exponent. A double holds the exact sum or product of two such numbers and a * b +
 * c exactly enough for the rounding, so one rounding from double is correct. In half precision:
 *   1.0 -> 0x3c00    65504.0 -> 0x7bff (the largest)    65520.0 -> 0x7c00 (infinity)
 */
static uint16_t narrow(double value, int digits, int largest)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
    const uint16_t infinity = (uint16_t)((2u * (unsigned)largest + 1) << digits);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    const int smallest = 1 - largest; /* of the normal numbers */
    if (exponent == 1024)
        return fraction ? (uint16_t)0x7fffu : (uint16_t)(sign | infinity);
    if (exponent > largest)
        return (uint16_t)(sign | infinity);
    if (exponent < smallest - digits - 1)
        return sign;
    /* Subnormal numbers have fewer digits: more of the fraction is dropped. */
    const int cut = 52 - digits + (exponent < smallest ? smallest - exponent : 0);
    const uint64_t full = fraction | 1ull << 52;
    const uint64_t rest = full & ((1ull << cut) - 1);
    const uint64_t tie = 1ull << (cut - 1);
    uint64_t kept = full >> cut;
    kept += rest > tie || (rest == tie && (kept & 1));
    /* `kept` has the leading 1 above its digits: it adds itself to the exponent, as carries do. */
    const uint64_t base = exponent < smallest ? 0 : (uint64_t)(exponent - smallest) << digits;
    return (uint16_t)(sign | (base + kept));
}

uint16_t simt_half_from_double(double value)
{
    return narrow(value, 10, 15);
}

uint16_t simt_bfloat16_from_double(double value)
{
    return narrow(value, 7, 127);
}

float simt_bfloat16_to_float(uint16_t b)
{
    const uint32_t bits = (uint32_t)b << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float simt_half_to_float(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    const uint32_t exponent = h >> 10 & 0x1fu;
    const uint32_t fraction = h & 0x3ffu;
    uint32_t bits;
    float value;
    if (exponent == 0) { /* zero or subnormal: fraction * 2^-24, exact in a float */
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000u | fraction << 13;
    else
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- explicit rounding modes ---- */

static const int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

/* volatile: the compiler must not move the computation out of the mode change. */
#define ROUNDED(name, type, suffix)                                                                \
    type name(int op, int mode, type a_, type b_, type c_)                                         \
    {                                                                                              \
        volatile type a = a_, b = b_, c = c_, result;                                              \
        fesetround(modes[mode]);                                                                   \
        switch (op) {                                                                              \
        case '+':                                                                                  \
            result = a + b;                                                                        \
            break;                                                                                 \
        case '-':                                                                                  \
            result = a - b;                                                                        \
            break;                                                                                 \
        case '*':                                                                                  \
            result = a * b;                                                                        \
            break;                                                                                 \
        case '/':                                                                                  \
            result = a / b;                                                                        \
            break;                                                                                 \
        case 's':                                                                                  \
            result = sqrt##suffix(a);                                                              \
            break;                                                                                 \
        case 'n':                                                                                  \
            result = (float)a;                                                                     \
            break;                                                                                 \
        default:                                                                                   \
            result = fma##suffix(a, b, c);                                                         \
        }                                                                                          \
        fesetround(FE_TONEAREST);                                                                  \
        return result;                                                                             \
    }
ROUNDED(simt_rounded, double, )
ROUNDED(simt_roundedf, float, f)

/* ---- the inverse of erf and erfc ---- */

/*
 * The y with erfc(y) = x, for 0 < x <= 1. Starts from a rough formula (S. Winitzki) and refines it
 * by Halley's method, which triples the correct digits in each step.
 */
static double upper(double x)
{
    const double a = 0.147, two_by_root_pi = 1.12837916709551257390;
    const double l = log(x) + log(2.0 - x);
    const double b = 2.0 / (3.14159265358979323846 * a) + l / 2.0;
    double y = sqrt(sqrt(b * b - l / a) - b);
    for (int i = 0; i < 4; i++) {
        const double slope = two_by_root_pi * exp(-y * y);
        const double step = (erfc(y) - x) / slope;
        if (!(slope > 0.0))
            break;
        y += step / (1.0 - y * step);
    }
    return y;
}

/* -inf and inf at the ends of the range 0 ... 2, NaN outside. */
double simt_erfcinv(double x)
{
    if (!(x > 0.0 && x < 2.0))
        return x == 0.0 ? HUGE_VAL : x == 2.0 ? -HUGE_VAL : NAN;
    return x <= 1.0 ? upper(x) : -upper(2.0 - x);
}

/* Near 0 the detour through 1 - x would lose digits: Newton's method on erf itself. */
double simt_erfinv(double x)
{
    const double half_root_pi = 0.88622692545275801365;
    if (!(fabs(x) < 0.5))
        return x < 0.0 ? -simt_erfcinv(1.0 + x) : simt_erfcinv(1.0 - x);
    double y = half_root_pi * x;
    for (int i = 0; i < 6; i++)
        y -= (erf(y) - x) * half_root_pi * exp(y * y);
    return y;
}
