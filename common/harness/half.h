/* SPDX-License-Identifier: MIT */
/*
 * half.h - IEEE 754 binary16 on the host, in portable C.
 *
 * 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits. The largest finite value is 65504, the
 * smallest normal one 2^-14, the smallest subnormal one 2^-24.
 */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

/* The value of a half. Exact: every half is a double. The payload of a NaN is not kept. */
double half_to_double(uint16_t bits);

/*
 * The half nearest to x; of two equally near ones the even one. From 65520 on the result is
 * infinity. NaN gives a quiet NaN. The sign is kept, for zeros too.
 */
uint16_t half_from_double(double x);

#endif
