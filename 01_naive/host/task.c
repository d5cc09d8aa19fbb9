/* SPDX-License-Identifier: MIT */
/*
 * task.c - host code: y = 2 x + 1 of n floats that are in host memory. 2 x has no rounding, so the
 * sum is rounded once, with a multiply-add or without: nothing is allowed.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* uniform: in [-100, 100). special: that, but every fourth is NaN, infinite or very large. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const bool special = strcmp(data, "special") == 0;
    for (size_t i = 0; i < size[0]; i++) {
        const float others[] = {any_nan(rng), INFINITY, -INFINITY, 1e30f};
        const bool other = special && rng_below(rng, 4) == 0;
        x[i] = other ? others[rng_below(rng, 4)] : (float)(200 * rng_unit(rng) - 100);
    }
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *y = out[0];
    for (size_t i = 0; i < size[0]; i++)
        compare(c, "h_out", i, (double)y[i], (double)(float)(2.0 * (double)x[i] + 1.0), 0);
}

const struct task task_host = {
    .name = "host",
    .title = "host code that checks every call",
    .folder = "01_naive/host",
    .host = true,
    .size_names = {"n"},
    .data_sets = "uniform special",
    .in = {{"h_in", ELEM_F32, count_n}},
    .out = {{"h_out", ELEM_F32, count_n}},
    .make_inputs = make_inputs,
    .check = check,
};
