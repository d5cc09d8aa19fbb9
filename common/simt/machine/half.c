/* SPDX-License-Identifier: MIT */
/*
 * half.c - numbers of 16 bits in plain C. Half precision: 1 sign bit, 5 of exponent, 10 of
 * fraction;
 * bfloat16: 1, 8 and 7.
 */
#include <string.h>

#include "../state/state.h"

/*
 * Rounds to nearest, ties to even, to a number of 16 bits with `digits` bits of fraction and
 * `largest` as its largest exponent. A double holds the exact sum or product of two such numbers
 * and
 * the exact a * b + c as far as rounding can tell, so one rounding from double is the right one.
 * In half precision:
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
    /* Subnormal numbers have fewer digits: more of the fraction is cut off. */
    const int cut = 52 - digits + (exponent < smallest ? smallest - exponent : 0);
    const uint64_t full = fraction | 1ull << 52;
    const uint64_t rest = full & ((1ull << cut) - 1);
    const uint64_t tie = 1ull << (cut - 1);
    uint64_t kept = full >> cut;
    kept += rest > tie || (rest == tie && (kept & 1));
    /* `kept` has the leading 1 above its digits. It adds itself to the exponent, as does a
     * carry. */
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
