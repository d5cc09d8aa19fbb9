/* SPDX-License-Identifier: MIT */
/*
 * task.c - count the elements above a threshold. The threshold is a whole number, the second
 * size. A count is exact, so nothing is allowed.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* NaN is not above anything, and an element that equals the threshold is not above it either. Above
 * 0 comes a subnormal number. */
static float special(rng_t *rng, float threshold)
{
    const float values[] = {any_nan(rng), INFINITY, -INFINITY, threshold,
                            nextafterf(threshold, INFINITY)};
    return values[rng_below(rng, sizeof values / sizeof *values)];
}

/* uniform: in [0, 128). special: every second element is NaN, infinite, or near the threshold. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const bool specials = strcmp(data, "special") == 0;
    for (size_t i = 0; i < size[0]; i++) {
        const float uniform = (float)(128 * rng_unit(rng));
        x[i] = specials && rng_below(rng, 2) ? special(rng, (float)size[1]) : uniform;
    }
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0];
    const uint64_t *got = out[0];
    uint64_t above = 0;
    for (size_t i = 0; i < size[0]; i++)
        above += x[i] > (float)size[1];
    compare(c, "d_count", 0, (double)*got, (double)above, 0);
}

const struct task task_01 = {
    .name = "01",
    .title = "count the elements above a threshold",
    .folder = "01_naive/exercise",
    .size_names = {"n", "threshold"},
    .data_sets = "uniform special",
    .in = {{"d_in", ELEM_F32, count_n}},
    .out = {{"d_count", ELEM_U64, count_one}},
    .make_inputs = make_inputs,
    .check = check,
};
