/* SPDX-License-Identifier: MIT */
/*
 * expect.h - the result that a step must give, and how far off it may be.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include "data.h"
#include "device.h"
#include "exact.h"

/* An expected element of the output. allowed = 0: equal, where NaN equals NaN and -0 equals 0. */
typedef struct {
    exact_t value;
    double allowed; /* largest |error| */
} expect_t;

/*
 * Reduce elements begin .. end - 1 of `data` with the problem's operator (reduce or rows).
 * `set` says whether a sum must be exact; `device` how many threads may share the work.
 * Time: a tile, or for a part of the data its length.
 */
expect_t expect_reduce(const problem_t *problem, const data_t *data, set_t set,
                       const device_t *device, size_t begin, size_t end);

/* The operator of an elementwise step, applied to x[0], x[1], x[2] (unused ones: any value). */
expect_t expect_map(const problem_t *problem, const double x[MAX_INPUTS]);

/* |got - expected|; 0 for equal infinities and for two NaNs, NaN where only one of them is NaN. */
double expect_error(const expect_t *expect, double got);

/* Whether `got`, of type `out`, may pass. */
bool expect_holds(const expect_t *expect, dtype_t out, double got);

#endif
