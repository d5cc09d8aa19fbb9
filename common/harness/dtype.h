/* SPDX-License-Identifier: MIT */
/*
 * dtype.h - the element types as the host sees them. Needs no device; anyone may call it.
 *
 * A double holds every value of every type exactly. So inputs, references and comparisons are
 * written once, for doubles.
 */
#ifndef DTYPE_H
#define DTYPE_H

#include "step.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of one element. */
size_t dtype_size(dtype_t type);

/* "f32", "f64", "i32", "f16", "u8". */
const char *dtype_name(dtype_t type);

bool dtype_is_float(dtype_t type);

/* Element i of `array` (host memory, elements of `type`, at least i + 1 of them) as a double. */
double dtype_load(dtype_t type, const void *array, size_t i);

/*
 * Cast `value` to `type`, as step.h defines it, and store it as element i of `array` (host memory,
 * i + 1 elements at least).
 */
void dtype_store(dtype_t type, void *array, size_t i, double value);

/* Store the low bits of `bits` as element i: any bit pattern, NaNs and subnormals too. */
void dtype_store_bits(dtype_t type, void *array, size_t i, uint64_t bits);

/* `value` converted to `type` and back. */
double dtype_round(dtype_t type, double value);

/* The distance from |value| to the next larger value of a float type; 0 for integers. */
double dtype_ulp(dtype_t type, double value);

/* The unit roundoff u of the type in which a sum is accumulated (f16: f32's); 0 for integers. */
double dtype_roundoff(dtype_t type);

/* The largest finite value of the type. */
double dtype_largest(dtype_t type);

/* What loses every comparison: -inf (max) or +inf (min), or the ends of an integer's range. */
double dtype_lowest(dtype_t type);
double dtype_highest(dtype_t type);

/*
 * A half, IEEE 754 binary16: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits. The largest
 * finite value is 65504, the smallest normal one 2^-14, the smallest subnormal one 2^-24.
 *
 * Its value is exact: every half is a double. The payload of a NaN is not kept.
 */
double half_to_double(uint16_t bits);

/*
 * The half nearest to x; of two equally near ones the even one. From 65520 on the result is
 * infinity. NaN gives a quiet NaN. The sign is kept, for zeros too.
 */
uint16_t half_from_double(double x);

#endif
