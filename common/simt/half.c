/* SPDX-License-Identifier: MIT */
/*
 * half.c - half precision in plain C: 1 sign bit, 5 of exponent, 10 of fraction.
 */
#include <string.h>

#include "machine.h"

/*
 * Rounds to nearest, ties to even. A double holds the exact sum or product of two halves and the
 * exact a * b + c as far as rounding can tell, so one rounding from double is the right one.
 *   1.0 -> 0x3c00    65504.0 -> 0x7bff (the largest)    65520.0 -> 0x7c00 (infinity)
 */
uint16_t simt_half_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent == 1024)
        return fraction ? (uint16_t)0x7fffu : (uint16_t)(sign | 0x7c00u);
    if (exponent > 15)
        return (uint16_t)(sign | 0x7c00u);
    if (exponent < -25)
        return sign;
    /* Below 2^-14 a half is subnormal: more of the fraction is cut off. */
    const int cut = exponent < -14 ? 42 + (-14 - exponent) : 42;
    const uint64_t full = fraction | 1ull << 52;
    const uint64_t rest = full & ((1ull << cut) - 1);
    const uint64_t tie = 1ull << (cut - 1);
    uint64_t kept = full >> cut;
    kept += rest > tie || (rest == tie && (kept & 1));
    /* `kept` has the leading 1 at bit 10. It adds itself to the exponent, and so does a carry. */
    const uint64_t base = exponent < -14 ? 0 : (uint64_t)(exponent + 14) << 10;
    return (uint16_t)(sign | (base + kept));
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
