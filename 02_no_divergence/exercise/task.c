/* SPDX-License-Identifier: MIT */
/*
 * task.c - one step of the Haar transform: the means of all pairs, then their details.
 */
#include <math.h>

#include "grade/tasks/task.h"

/* uniform: in [-1, 1). */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    (void)data;
    float *x = in[0];
    for (size_t i = 0; i < size[0]; i++)
        x[i] = (float)(2 * rng_unit(rng) - 1);
}

/* left + right is rounded once, by 2^-24 of its value; halving is exact. Twice that is allowed, so
 * that left / 2 and right / 2 may be rounded as well. */
static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t n = size[0], half = n / 2;
    for (size_t k = 0; k < half; k++) {
        const double mean = ((double)x[2 * k] + x[2 * k + 1]) / 2;
        const double detail = ((double)x[2 * k] - x[2 * k + 1]) / 2;
        compare(c, "d_out", k, got[k], mean, 0x1p-23 * fabs(mean));
        compare(c, "d_out", half + k, got[half + k], detail, 0x1p-23 * fabs(detail));
    }
    if (n % 2 == 1)
        compare(c, "d_out", n - 1, got[n - 1], x[n - 1], 0);
}

const struct task task_02 = {
    .name = "02",
    .title = "one step of the Haar transform, without divergence",
    .folder = "02_no_divergence/exercise",
    .size_names = {"n"},
    .data_sets = "uniform",
    .in = {{"d_in", ELEM_F32, count_n}},
    .out = {{"d_out", ELEM_F32, count_n}},
    .make_inputs = make_inputs,
    .check = check,
};
