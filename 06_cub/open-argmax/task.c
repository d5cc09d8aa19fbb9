/* SPDX-License-Identifier: MIT */
/*
 * task.c - the largest of n floats and its first index. Both are exact.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* uniform: in [-1, 0), so that 0 is no identity. ties: four values. special: nothing but minus
 * infinity, and in every other case a few NaN and infinities. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const bool ties = strcmp(data, "ties") == 0, special = strcmp(data, "special") == 0;
    for (size_t i = 0; i < size[0]; i++)
        x[i] = ties      ? (float)rng_below(rng, 4) - 4
               : special ? -INFINITY
                         : -1 + (float)rng_unit(rng);
    for (size_t k = 0; special && size[0] > 1000 && k < 6; k++)
        x[rng_below(rng, size[0])] = k < 3 ? INFINITY : size[0] % 2 ? NAN : 1.0f;
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *value = out[0];
    const uint64_t *index = out[1];
    size_t best = 0;
    for (size_t i = 0; i < size[0] && !isnan(x[best]); i++)
        if (isnan(x[i]) || x[i] > x[best])
            best = i;
    compare(c, "d_value", 0, value[0], size[0] > 0 ? x[best] : -INFINITY, 0);
    compare(c, "d_index", 0, (double)index[0], (double)best, 0);
}

const struct task task_openargmax = {
    .name = "open-argmax",
    .title = "the largest of n floats and its index, in one launch",
    .folder = "06_cub/open-argmax",
    .size_names = {"n"},
    .data_sets = "uniform ties special",
    .in = {{"d_in", ELEM_F32, count_n}},
    .out = {{"d_value", ELEM_F32, count_one}, {"d_index", ELEM_U64, count_one}},
    .make_inputs = make_inputs,
    .check = check,
};
