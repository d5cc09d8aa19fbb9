/* SPDX-License-Identifier: MIT */
/*
 * task.c - the running sums of n floats.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* integers: from -8 to 8, so that no sum of a million is rounded. uniform: in [0, 1). */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const bool integers = strcmp(data, "integers") == 0;
    for (size_t i = 0; i < size[0]; i++)
        x[i] = integers ? (float)rng_below(rng, 17) - 8 : (float)rng_unit(rng);
}

/* In any order an element goes through i additions at most on its way into sum i, each of which
 * rounds by 2^-24 of a sum of magnitudes at most. Of trees and tiles that is far more than they
 * need; sums of integers are exact. */
static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    double sum = 0;
    bool exact = true;
    for (size_t i = 0; i < size[0]; i++) {
        sum += x[i];
        exact = exact && x[i] == floorf(x[i]);
        compare(c, "d_out", i, got[i], sum, exact ? 0 : 0x1p-24 * (double)i * sum);
    }
}

const struct task task_openscan = {
    .name = "open-scan",
    .title = "the running sums of n floats",
    .folder = "05_warp_shuffle/open-scan",
    .size_names = {"n"},
    .data_sets = "integers uniform",
    .in = {{"d_in", ELEM_F32, count_n}},
    .out = {{"d_out", ELEM_F32, count_n}},
    .make_inputs = make_inputs,
    .check = check,
};
