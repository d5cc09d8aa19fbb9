/* SPDX-License-Identifier: MIT */
/*
 * expect.h - the result that a step must give, computed on the host, and whether a result may pass.
 * How far off it may be is up to tolerance.h. Used by compare.c, and by what measures accuracy.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include "device.h"
#include "sets.h"

/*
 * A sum in double-double, about 106 bits: its value is high + low, unevaluated, and |low| is at
 * most half an ulp of high. Start from {0, 0}. A plain double would do as the reference for f32,
 * but not for f64 or for the ill-conditioned sets, whose sum is a millionth of their terms. One
 * method serves all.
 */
typedef struct {
    double high, low;
} exact_t;

/* sum + x. Relative error below 2^-104. Assumes finite values far from overflow. */
exact_t exact_add(exact_t sum, double x);

/* sum + x * y, the product taken exactly. */
exact_t exact_add_product(exact_t sum, double x, double y);

/* got - sum, as one double. */
double exact_distance(double got, exact_t sum);

/* An expected element of the output. allowed = 0: equal, where NaN equals NaN and -0 equals 0. */
typedef struct {
    exact_t value;
    double allowed; /* largest |error| */
} expect_t;

/*
 * Reduce elements begin .. end - 1 of `data` with the problem's operator (reduce or rows).
 * `set` says whether a sum must be exact; `device` how many threads may share the work. Time: one
 * tile, or for a part of the data its length.
 */
expect_t expect_reduce(const problem_t *problem, const data_t *data, set_t set,
                       const device_t *device, size_t begin, size_t end);

/*
 * Reduce column c of `data`, a matrix of that shape, with the problem's operator (columns). One
 * thread may do a whole column. Time: its rows, or fewer if cols has many factors of 2 and the data
 * repeats.
 */
expect_t expect_column(const problem_t *problem, const data_t *data, set_t set, shape_t shape,
                       size_t c);

/* A softmax, exp(x - max) / sum, row by row: what all elements of a row share. */
typedef struct {
    double max, sum; /* of x, and of exp(x - max) in double, max taken off first */
    double cols;
} softmax_row_t;

/* The row that is elements begin .. end - 1 of `data`. Time: its length. */
softmax_row_t softmax_row(const data_t *data, size_t begin, size_t end);

/* The softmax of element x of that row, for outputs of `type`. */
expect_t softmax_element(const softmax_row_t *row, dtype_t type, double x);

/* The operator of an elementwise step, applied to x[0], x[1], x[2] (unused ones: any value). */
expect_t expect_map(const problem_t *problem, const double x[MAX_INPUTS]);

/* |got - expected|; 0 for equal infinities and for two NaNs, NaN where only one of them is NaN. */
double expect_error(const expect_t *expect, double got);

/* Whether `got`, of type `out`, may pass. */
bool expect_holds(const expect_t *expect, dtype_t out, double got);

#endif
