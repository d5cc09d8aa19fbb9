/* SPDX-License-Identifier: MIT */
/*
 * task.c - mean and variance of n elements. NaN is a value that is missing: it does not count.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

static size_t count_two(const size_t *size)
{
    (void)size;
    return 2;
}

/*
 * uniform: in [-1, 1). offset: a number of 10^6 to 2 * 10^6, plus 0 to 1/2 in steps of 1/8, the
 * steps of floats of this size. gaps: up to 10^9, with runs of NaN, the first at the beginning; of
 * less than 100 elements all are missing.
 */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const bool offset = strcmp(data, "offset") == 0;
    const bool gaps = strcmp(data, "gaps") == 0;
    const float width = gaps ? 1e9f : 1, large = (float)(1000000 + rng_below(rng, 1000000));
    size_t missing = !gaps ? 0 : size[0] < 100 ? size[0] : 1 + rng_below(rng, 999);
    for (size_t i = 0; i < size[0]; i++) {
        x[i] =
            offset ? large + (float)rng_below(rng, 5) / 8 : width * (float)(2 * rng_unit(rng) - 1);
        if (gaps && missing == 0 && rng_below(rng, 4) == 0)
            missing = rng_below(rng, 1000);
        if (missing > 0 && missing-- > 0)
            x[i] = any_nan(rng);
    }
}

/*
 * A stable method in double. Its mean is off by at most e = roundings * 2^-53 * max |x|, with the
 * roundings of one block of 256 threads: n / 256 in a thread, then a tree. Squares about a mean
 * that is off by e give a variance that is off by at most 2 e sqrt(variance) + e^2, and their own
 * sum is rounded as often as the mean. Each result is rounded once more, to f32. Then some
 * roundings of f32 are allowed, 2^-20 of the spread and of the variance: all of it could be done in
 * float if the mean is not larger than the spread.
 */
static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    double count = 0, sum = 0, squares = 0, largest = 0;
    for (size_t i = 0; i < size[0]; i++)
        if (!isnan(x[i])) {
            count++;
            sum += x[i]; /* exact up to 2^53, or far more accurate than required */
            largest = fmax(largest, fabs(x[i]));
        }
    const double mean = count > 0 ? sum / count : 0;
    for (size_t i = 0; i < size[0]; i++)
        squares += isnan(x[i]) ? 0 : (x[i] - mean) * (x[i] - mean);
    const double variance = count > 0 ? squares / count : 0;

    const double roundings = ceil((double)size[0] / 256) + 32, unit = 0x1p-53;
    const double e = roundings * unit * largest;
    const double spread = sqrt(variance);
    compare(c, "d_out", 0, got[0], mean, e + 0x1p-24 * fabs(mean) + 0x1p-20 * spread);
    compare(c, "d_out", 1, got[1], variance,
            2 * e * spread + e * e + (roundings * unit + 0x1p-23 + 0x1p-20) * variance);
}

const struct task task_06 = {
    .name = "06",
    .title = "mean and variance in one pass",
    .folder = "06_cub/exercise",
    .size_names = {"n"},
    .data_sets = "uniform offset gaps",
    .in = {{"d_in", ELEM_F32, count_n}},
    .out = {{"d_out", ELEM_F32, count_two}},
    .make_inputs = make_inputs,
    .check = check,
};
