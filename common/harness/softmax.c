/* SPDX-License-Identifier: MIT */
#include "softmax.h"

#include "tolerance.h"

#include <math.h>

enum { WARP_SIZE = 32 }; /* a row may be the work of a single warp */

softmax_row_t softmax_row(const data_t *data, size_t begin, size_t end)
{
    softmax_row_t row = {-(double)INFINITY, 0, (double)(end - begin)};

    for (size_t i = begin; i < end; i++) {
        double x = data_at(data, i);
        row.max = isnan(x) || x > row.max ? x : row.max; /* nothing is above a NaN */
    }
    for (size_t i = begin; i < end; i++)
        row.sum += exp(data_at(data, i) - row.max);
    return row;
}

expect_t softmax_element(const softmax_row_t *row, dtype_t type, double x)
{
    double value = exp(x - row->max) / row->sum;
    double depth = tolerance_depth(row->cols, WARP_SIZE);

    return (expect_t){{value, 0}, tolerance_softmax(type, depth, row->cols, row->max - x, value)};
}
