/* SPDX-License-Identifier: MIT */
/*
 * task.c - layer normalisation of the rows of a matrix, forward, with eps = 10^-5.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

static float uniform(rng_t *rng, double low, double high)
{
    return (float)(low + (high - low) * rng_unit(rng));
}

/* uniform: in [-2, 2). offset: that, plus 4000 or -4000 in a row. constant: a row is one number,
 * below 8 or below 16 millions in turn, but every third row is in [-0.005, 0.005): its variance is
 * about eps. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0], *gamma = in[1], *beta = in[2];
    const bool offset = strcmp(data, "offset") == 0, constant = strcmp(data, "constant") == 0;
    for (size_t i = 0; i < count_cols(size); i++) {
        gamma[i] = uniform(rng, 0.5, 1.5);
        beta[i] = uniform(rng, -1, 1);
    }
    for (size_t row = 0; row < size[0]; row++) {
        const double sign = row % 2 ? 1 : -1;
        const double middle = constant ? uniform(rng, -8, 8) * (sign > 0 ? 2e6 : 1) : 4000 * sign;
        const bool near_eps = constant && row % 3 == 2;
        const double width = near_eps ? 0.005 : constant ? 0 : 2;
        for (size_t i = 0; i < size[1]; i++)
            x[row * size[1] + i] = (float)((near_eps || !(offset || constant) ? 0 : middle) +
                                           uniform(rng, -width, width));
    }
}

static double row_mean(const float *row, size_t cols)
{
    double sum = 0;
    for (size_t i = 0; i < cols; i++)
        sum += row[i];
    return sum / (double)cols;
}

static double row_variance(const float *row, size_t cols, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < cols; i++)
        squares += (row[i] - mean) * (row[i] - mean);
    return squares / (double)cols;
}

/*
 * A stable method in f32, in any order: one thread may add up a row alone, so a sum has passed
 * through up to `cols` roundings, and a few more follow when lanes or warps are combined. So a mean
 * is off by at most e = roundings * 2^-24 * max |x|, the variance by d = 2 e sqrt(variance) + e^2 +
 * roundings * 2^-24 * variance, and 1 / sqrt(variance + eps) by d / (2 * (variance + eps)) of
 * itself. A few roundings for each element follow. The data set `offset` must be so narrow that
 * this is far below what sum(x^2) / cols - mean^2 loses in f32: x^2 near 1.6 * 10^7 ends at whole
 * numbers, so the variance is off by about 1 / 2, and for 400 columns d is a quarter of that.
 */
static void check_row(const float *x, const float *gamma, const float *beta, const float *got,
                      size_t cols, size_t first, struct comparison *c)
{
    const double eps = 1e-5, unit = 0x1p-24, roundings = (double)cols + 16;
    const double mean = row_mean(x, cols), variance = row_variance(x, cols, mean);
    const double scale = 1 / sqrt(variance + eps);
    double largest = 0;
    for (size_t i = 0; i < cols; i++)
        largest = fmax(largest, fabs(x[i]));
    const double e = roundings * unit * largest;
    const double d = 2 * e * sqrt(variance) + e * e + roundings * unit * variance;
    for (size_t i = 0; i < cols; i++) {
        const double factor = scale * fabs(gamma[i]), part = (x[i] - mean) * scale * gamma[i];
        compare(c, "d_out", first + i, got[i], part + beta[i],
                factor * e + fabs(part) * (d / (2 * (variance + eps)) + 8 * unit) +
                    2 * unit * fabs(beta[i]));
    }
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t cols = size[1];
    for (size_t row = 0; row < size[0]; row++)
        check_row(x + row * cols, in[1], in[2], got + row * cols, cols, row * cols, c);
}

const struct task task_capstone = {
    .name = "capstone",
    .title = "layer normalisation of rows, forward",
    .folder = "07_elementwise/capstone",
    .size_names = {"rows", "cols"},
    .sms = 4,
    .data_sets = "uniform offset constant",
    .in = {{"d_in", ELEM_F32, count_all},
           {"d_gamma", ELEM_F32, count_cols},
           {"d_beta", ELEM_F32, count_cols}},
    .out = {{"d_out", ELEM_F32, count_all}},
    .make_inputs = make_inputs,
    .check = check,
};
