/* SPDX-License-Identifier: MIT */
/*
 * tolerance.h - how far a result may be from the exact one. Every bound is derived, none is
 * guessed. Used by expect.c only.
 */
#ifndef TOLERANCE_H
#define TOLERANCE_H

#include "problem.h"

/*
 * The deepest chain of additions D that a good kernel of this course has for n elements which
 * `threads` threads may share:
 *
 *   D = ceil(log2 n)        the tree over all threads
 *     + ceil(n / threads)   the serial share of one thread
 *     + 32                  a constant, so that one block or one warp may do a small n
 *
 * n = 0 and n = 1 give the constant and one share. Assumes threads > 0.
 */
double tolerance_depth(double n, double threads);

/*
 * The allowed |error| of a sum of n values with sum of magnitudes `sum_abs` and exact result `ref`.
 *
 * Each value passes at most D additions, each of which multiplies by 1 + d with |d| <= u. So
 *   |error| <= gamma(D) * sum |x|,   gamma(D) = D * u / (1 - D * u)
 * (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2), with
 * u = 2^-24 for f32 and 2^-53 for f64. An f16 sum is accumulated in f32 and rounded once at the
 * end: + 2^-11 * |result|, or + 2^-25 if the result is subnormal.
 *
 * Returns INFINITY if the bound says nothing: partial sums may overflow, or D * u >= 1.
 */
double tolerance_sum(dtype_t type, double depth, double sum_abs, double ref);

/*
 * The allowed |error| of a product of n factors other than 0, Inf and NaN, with exact result `ref`.
 * low and high: the sums of their negative and of their positive log2 |x|.
 *
 * In any order, each of the n - 1 products multiplies what came before by 1 + d with |d| <= u, so
 * |error| <= gamma(n - 1) * |ref|; and 0 if all factors are powers of two (`powers`). A partial
 * product is that of a subset of the factors: its magnitude is between 2^low and 2^high. If that
 * leaves the normal numbers, the order decides what overflows and underflows, unless all factors
 * are on one side of 1. Then no partial product is beyond the whole one; powers of two may
 * underflow too, exactly, and finally to 0. f16 as for a sum.
 *
 * Returns INFINITY if the bound says nothing: the order decides, or n * u >= 1.
 */
double tolerance_product(dtype_t type, double n, bool powers, double low, double high, double ref);

/*
 * The allowed |error| of out = f(x) of an elementwise step with the exact result `ref`:
 *
 *   relu, add, mul, casts, f32 and f64 fma, all of i32 and u8   0: rounded correctly, or exact
 *   f16 fma    1 ulp of f16: computed in f32, so rounded twice
 *   gelu       4 * u * |x| + 2 ulp: for x < 0, 1 + erf cancels, so what counts is the absolute
 *              error of 1 + erf (erf: 2 ulp, its argument: 1, the addition: 1) times x / 2; 2 ulp
 *              for the two products. f16: 1 ulp of f16 more, for the final rounding
 */
double tolerance_map(const problem_t *problem, double x, double ref);

/*
 * The allowed |error| of ref = exp(x - max) / sum, an element of a softmax over a row of n = `cols`
 * elements; gap = max - x >= 0; D = `depth`, as for a sum. The kernel subtracts max first and works
 * in f32, u = 2^-24. To first order, as parts of the result:
 *
 *   3 u gap    the argument: the difference, its product with log2(e), and that constant; an
 *              argument that is off by d makes the exponential off by the factor exp(d)
 *   4 u        the exponential: 2 ulp
 *   3 u ln n + 4 u   the same for the terms of the sum, each with its share w of it: the sum of
 *              w * gap over the row is the entropy of w less ln(sum), so ln n at most
 *   6 u D      each of the D additions (u) may be one at which the online form finds a larger
 *              maximum: an exponential (4 u) and a product (u). All its arguments together are gap
 *   2 u        the quotient: a reciprocal and a product
 *
 * With r for their sum: r / (1 - r) * ref. Exponentials below 2^-126 are multiples of 2^-149, and
 * so is the quotient: + 3 * 2^-149. f16 is rounded once at the end, as a sum is.
 *
 * 0 if ref is not finite. INFINITY if the bound says nothing: r >= 1.
 */
double tolerance_softmax(dtype_t type, double depth, double cols, double gap, double ref);

#endif
