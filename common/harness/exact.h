/* SPDX-License-Identifier: MIT */
/*
 * exact.h - sums in double-double: a pair of doubles that holds about 106 bits.
 *
 * The reference for f32 could be a plain double. The one for f64 could not, and neither could the
 * ill-conditioned sets, whose sum is a millionth of their terms. One method serves all.
 */
#ifndef EXACT_H
#define EXACT_H

/* The value is high + low, unevaluated; |low| is at most half an ulp of high. Start from {0, 0}. */
typedef struct {
    double high, low;
} exact_t;

/* sum + x. Relative error below 2^-104. Assumes finite values far from overflow. */
exact_t exact_add(exact_t sum, double x);

/* sum + x * y, the product taken exactly. */
exact_t exact_add_product(exact_t sum, double x, double y);

/* got - sum, as one double. */
double exact_distance(double got, exact_t sum);

#endif
