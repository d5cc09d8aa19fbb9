/* SPDX-License-Identifier: MIT */
/*
 * task.c - out = residual + gelu(x + bias), f16, the bias by column.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"
#include "harness/dtype.h"

enum { LARGE = 4096, OVERFLOWS = 65520 };

static double gelu(double v)
{
    return 0.5 * v * (1 + erf(v / sqrt(2.0)));
}

static double uniform(rng_t *rng, double limit)
{
    return limit * (2 * rng_unit(rng) - 1);
}

/* One that is not a finite number, or 60000, whose GELU and residual together are too large. */
static void make_special(rng_t *rng, uint16_t *x, uint16_t *residual)
{
    const double values[] = {NAN, INFINITY, 60000}, value = values[rng_below(rng, 3)];
    const bool both = value == 60000;
    if (both || rng_below(rng, 2))
        *x = half_from_double(value);
    if (both || *x != half_from_double(value))
        *residual = half_from_double(value);
}

/* uniform: x up to 4, bias up to 1, residual 4 to 8, or where v is negative -1/4 to -1/8: the
 * results there are so small that another formula than GELU's shows, as the one with tanh does.
 * Every 16th element has x and residual that are 256 times as large.
 * cancel: the residual is minus the other part, rounded to f16. What is left in the sum is lost if
 * that part is rounded before it is added. Every 16th residual is LARGE to 2 * LARGE.
 * special: uniform, but every 8th element is NaN, infinite, or overflows. x is not -infinity, which
 * gives NaN by the formula and 0 as a limit. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    uint16_t *x = in[0], *bias = in[1], *residual = in[2];
    const bool cancel = strcmp(data, "cancel") == 0, special = strcmp(data, "special") == 0;
    for (size_t i = 0; i < count_cols(size); i++)
        bias[i] = half_from_double(uniform(rng, 1));
    for (size_t i = 0; i < count_all(size); i++) {
        const double scale = cancel || rng_below(rng, 16) > 0 ? 1 : 256;
        x[i] = half_from_double(scale * uniform(rng, 4));
        const double v = half_to_double(x[i]) + half_to_double(bias[i % size[1]]);
        const double r = v < 0 ? -0.1875 + uniform(rng, 0.0625) : 6 + uniform(rng, 2);
        residual[i] = half_from_double(cancel ? -gelu(v) : scale * r);
        if (cancel && rng_below(rng, 16) == 0)
            residual[i] = half_from_double(LARGE + LARGE * rng_unit(rng));
        if (special && rng_below(rng, 8) == 0)
            make_special(rng, &x[i], &residual[i]);
    }
}

/* Half the distance between two f16 around a value. */
static double half_step(double value)
{
    int exponent; /* value = m * 2^exponent with m in [1/2, 1) */
    frexp(value, &exponent);
    return ldexp(1, (exponent > -13 ? exponent : -13) - 12);
}

/*
 * In f32 the GELU of v is off by at most 4 * 2^-24 * |v| for erff and the products, plus the
 * rounding of v and that of the sum: 8 * 2^-24 * (|v| + |residual|) is more than these. The result
 * is then rounded once to f16, which moves it by half a step at most. Three half steps are allowed.
 * That is enough for two roundings more: with a residual of 4 to 8 they are not larger, and with
 * one of -1/8 two half steps, 2^-13 together, cover that of v (2^-10, times a slope of 0.086 at v =
 * -2) and that of its GELU (2^-16 there). So the data set `cancel` alone shows an early rounding.
 * With tanh in the place of erf, GELU is off by up to 2^-11.1 at v = -2.7, which is more.
 * Beside a residual of LARGE or more one half step is allowed: only rounding to the nearest is that
 * near.
 */
static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const uint16_t *x = in[0], *bias = in[1], *residual = in[2], *got = out[0];
    for (size_t i = 0; i < count_all(size); i++) {
        const double v = half_to_double(x[i]) + half_to_double(bias[i % size[1]]);
        const double r = half_to_double(residual[i]);
        const double sum = r + gelu(v), inner = 0x1p-21 * (fabs(v) + fabs(r));
        const double expected = sum > OVERFLOWS ? INFINITY : sum;
        const int half_steps = fabs(r) >= LARGE ? 1 : 3;
        compare(c, "d_out", i, half_to_double(got[i]), expected,
                inner + half_steps * half_step(fabs(expected) + inner));
    }
}

const struct task task_07 = {
    .name = "07",
    .title = "bias, GELU and residual in one kernel, f16",
    .folder = "07_elementwise/exercise",
    .size_names = {"rows", "cols"},
    .data_sets = "uniform cancel special",
    .in = {{"d_x", ELEM_F16, count_all},
           {"d_bias", ELEM_F16, count_cols},
           {"d_residual", ELEM_F16, count_all}},
    .out = {{"d_out", ELEM_F16, count_all}},
    .make_inputs = make_inputs,
    .check = check,
};
