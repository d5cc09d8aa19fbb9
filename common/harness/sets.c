/* SPDX-License-Identifier: MIT */
#include "sets.h"

#include "dtype.h"

#include <limits.h>
#include <math.h>

/* In the order of set_t. */
static const char *const NAMES[SET_COUNT] = {
    "integers",   "negative",   "positive",     "cancelling", "uniform",      "NaN first",
    "NaN last",   "NaN middle", "NaN",          "+Inf",       "-Inf",         "+Inf -Inf",
    "minus zero", "mixed",      "all patterns", "spread",     "high",         "low",
    "huge",       "rising",     "equal",        "one hot",    "runs of -Inf", "file"};

const char *data_set_name(set_t set)
{
    return NAMES[set];
}

double sets_budget(dtype_t type)
{
    return type == DTYPE_F64 ? 0x1p53 : 0x1p24;
}

/* ---- one value at a time ---- */

static double sign(rng_t *rng)
{
    return rng_bits(rng) & 1 ? -1.0 : 1.0;
}

static double i32_value(set_t set, size_t i, rng_t *rng)
{
    int32_t bits = (int32_t)(rng_bits(rng) >> 33); /* 31 bits, never negative */

    switch (set) {
    case SET_NEGATIVE:
        return -1000.0 - bits / 4;
    case SET_POSITIVE:
        return 1000.0 + bits / 4;
    case SET_CANCEL: /* close to the ends of the range: sums wrap at once */
        return i % 2 == 0 ? INT_MAX - bits % 1000 : INT_MIN + bits % 1000;
    default:
        return rng_bits(rng) & 1 ? -1.0 - bits : bits;
    }
}

/*
 * Values of [1, 2], for f16 made so small that the sum of n of them stays below 65504: times
 * 2^-k with n * 2^-k <= 2^14.
 */
static double one_to_two(const data_t *data, const problem_t *problem, rng_t *rng)
{
    double scale = 1;
    if (data->type == DTYPE_F16 && problem->op == OP_SUM) {
        for (size_t n = data->n; n > 0x4000; n /= 2)
            scale /= 2;
    }
    return scale * (1 + rng_unit(rng));
}

/* Large +L and -L in turn; what stays after they cancel is as small as 1 / L of the terms. */
static double cancelling(dtype_t type, size_t i, rng_t *rng, double *last)
{
    const double large = type == DTYPE_F16 ? 512 : type == DTYPE_F64 ? 0x1p60 : 0x1p30;

    if (i % 2 == 1)
        return 2 * rng_unit(rng) - 1;
    if (i % 4 == 2)
        return -*last;
    return *last = dtype_round(type, large * (1 + rng_unit(rng)));
}

/* ---- whole tiles ---- */

/*
 * Whole numbers with sum |x| within the budget: each element is +-1 to +-k where the budget allows
 * k >= 1 for each of the n, else +-1 in a few places. The signs keep the running sum near 0: an
 * f16 result is then small enough to be exact as well.
 */
static void fill_integers(data_t *data, rng_t *rng)
{
    double copies = ceil((double)data->n / (double)data->tile_n);
    double budget = sets_budget(data->type) / 2; /* the other half is for the patches */
    double each = floor(budget / (copies * (double)data->tile_n));
    double largest = each < SETS_LARGEST_INTEGER ? each : SETS_LARGEST_INTEGER;
    double density = budget / (2 * copies * (double)data->tile_n); /* where largest is 0 */
    double limit = ceil(1000 / copies);
    double running = 0;

    for (size_t i = 0; i < data->tile_n; i++) {
        double x = largest >= 1 ? 1 + (double)rng_below(rng, (size_t)largest)
                                : (double)(rng_unit(rng) < density);
        x *= fabs(running) < limit ? sign(rng) : running > 0 ? -1.0 : 1.0;
        running += x;
        dtype_store(data->type, data->tile, i, x);
    }
}

static double special_value(dtype_t type, rng_t *rng)
{
    const double smallest = dtype_ulp(type, 0), inf = INFINITY;
    const double values[] = {0.0,      -0.0,           inf, -inf,         NAN, dtype_largest(type),
                             smallest, smallest * 100, 1,   -2 * smallest};

    return values[rng_below(rng, sizeof values / sizeof values[0])];
}

/* For elementwise steps: half uniform, a quarter any bit pattern, a quarter special values. */
static void fill_mixed(data_t *data, set_t set, rng_t *rng)
{
    size_t first = (size_t)rng_bits(rng), stride = (size_t)rng_bits(rng) | 1; /* odd: hits all */

    for (size_t i = 0; i < data->tile_n; i++) {
        uint64_t choice = rng_bits(rng) % 4;
        if (set == SET_BITS)
            dtype_store_bits(data->type, data->tile, i, first + i * stride);
        else if (choice == 0 || data->type == DTYPE_I32)
            dtype_store_bits(data->type, data->tile, i, rng_bits(rng));
        else if (choice == 1)
            dtype_store(data->type, data->tile, i, special_value(data->type, rng));
        else
            dtype_store(data->type, data->tile, i, 16 * rng_unit(rng) - 8);
    }
}

/*
 * Where a run of SET_HUGE starts. Its elements are up to 1000 above: in f32 a few neighbours, 256
 * or 512 apart. So those equal to the maximum share the row's 1, and all others are 0.
 *
 * There max * log2(e) is rounded by up to 256. A kernel that takes the maximum off after the
 * product, exp2(fma(x, log2(e), -(max * log2(e)))), has this error in the exponent, and finds up to
 * 2^256 instead of 1. Below 2^128 the quotient hides it: all terms of the row have the same factor.
 * In f16 the values end at 65504, and the error at 2^-8.
 */
static double huge_start(dtype_t type, rng_t *rng)
{
    return (type == DTYPE_F16 ? 3e4 : 2.9e9) * (1 + rng_unit(rng)) * sign(rng);
}

static double softmax_value(const data_t *data, set_t set, size_t i, rng_t *rng)
{
    double unit = rng_unit(rng);

    switch (set) {
    case SET_HIGH:
        return 1000 + 16 * unit;
    case SET_LOW:
        return -1016 + 16 * unit;
    case SET_HUGE: /* above the start of the run */
        return 1000 * unit;
    case SET_RISING: /* within a type's steps: in f16 some neighbours are equal */
        return 64 * (double)i / (double)data->tile_n - 32;
    case SET_EQUAL:
        return 3.5;
    case SET_ONE_HOT:
        return unit < 1.0 / 64 ? 40 : 0;
    default:
        return 32 * unit - 16;
    }
}

/*
 * For a softmax. The runs of SET_GAPS and SET_HUGE are up to 4096 long: short rows are -Inf, or
 * large and of one sign, from end to end.
 */
static void fill_softmax(data_t *data, set_t set, rng_t *rng)
{
    bool gap = false;
    size_t left = 0; /* of the run */
    double start = 0;

    for (size_t i = 0; i < data->tile_n; i++) {
        double x = softmax_value(data, set, i, rng);
        if (left == 0) {
            gap = !gap;
            left = 1 + rng_below(rng, (size_t)1 << rng_below(rng, 13));
            start = huge_start(data->type, rng);
        }
        left--;
        if (set == SET_HUGE)
            x += start;
        dtype_store(data->type, data->tile, i, set == SET_GAPS && gap ? -(double)INFINITY : x);
    }
}

static void fill_values(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    double last = 0;
    for (size_t i = 0; i < data->tile_n; i++) {
        double x;
        if (data->type == DTYPE_I32)
            x = i32_value(set, i, rng);
        else if (set == SET_NEGATIVE)
            x = -one_to_two(data, problem, rng);
        else if (set == SET_POSITIVE)
            x = one_to_two(data, problem, rng);
        else if (set == SET_CANCEL)
            x = cancelling(data->type, i, rng, &last);
        else if (set == SET_MINUS_ZERO)
            x = -0.0;
        else
            x = 2 * rng_unit(rng) - 1;
        dtype_store(data->type, data->tile, i, x);
    }
}

void sets_fill(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    if (set == SET_MIXED || set == SET_BITS)
        fill_mixed(data, set, rng);
    else if (set >= SET_SPREAD && set <= SET_GAPS)
        fill_softmax(data, set, rng);
    else if (set == SET_INTEGERS && data->type != DTYPE_I32)
        fill_integers(data, rng);
    else
        fill_values(data, problem, set, rng);
}
