/* SPDX-License-Identifier: MIT */
/*
 * softmax.h - the result that a softmax must give: out = exp(x - max) / sum, row by row.
 */
#ifndef SOFTMAX_H
#define SOFTMAX_H

#include "expect.h"

/* What all elements of a row have in common. */
typedef struct {
    double max, sum; /* of x, and of exp(x - max) in double, max taken off first */
    double cols;
} softmax_row_t;

/* The row that is elements begin .. end - 1 of `data`. Time: its length. */
softmax_row_t softmax_row(const data_t *data, size_t begin, size_t end);

/* The softmax of element x of that row, for outputs of `type`. */
expect_t softmax_element(const softmax_row_t *row, dtype_t type, double x);

#endif
