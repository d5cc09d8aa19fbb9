/* SPDX-License-Identifier: MIT */
#include "half.h"

#include <math.h>

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
     * Adding, not or-ing: a carry out of the fraction (units = 0x800) moves on into the exponent,
     * and a subnormal (units < 0x400) lands in exponent field 0 by itself.
     */
    int field = exponent - 2 + EXPONENT_BIAS;
    return (uint16_t)(sign | ((field << FRACTION_BITS) + (int)units));
}
