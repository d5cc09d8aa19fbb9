/* SPDX-License-Identifier: MIT */
/*
 * task.c - the largest of n floats and its first index. Both are exact.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* By n % 4: nothing but minus infinity; infinities and NaN, of which the first is negative, and of
 * more bits than the next, or fewer; infinities and numbers; both zeros, the first one negative. */
static void make_special(rng_t *rng, float *x, size_t n)
{
    const float first = n % 8 < 4 ? -NAN : NAN, next = n % 8 < 4 ? NAN : -NAN;
    const size_t kind = n % 4;
    for (size_t i = 0; i < n; i++)
        x[i] = kind == 3 ? -(float)rng_below(rng, 3) : -INFINITY;
    for (size_t k = 0; kind < 3 && kind > 0 && k < 3; k++)
        x[rng_below(rng, n)] = INFINITY;
    for (size_t k = 0; kind < 3 && kind > 0 && k < 3; k++)
        x[n / 2 + rng_below(rng, n / 4)] = kind == 1 ? any_nan(rng) : 1.0f;
    if (kind == 1) {
        x[n / 4 + rng_below(rng, n / 4)] = first;
        x[n - 1 - rng_below(rng, n / 4)] = next;
    }
    for (size_t i = 0; kind == 3 && i < n; i++)
        x[i] = x[i] == 0 && i > n / 2 ? 0.0f : x[i];
}

/* uniform: in [-1, 0), so that 0 is no identity. Of a million, the last ones have the largest:
 * its index has 21 bits, and it is not in one of the first partials. ties: four values. special:
 * see above. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const size_t n = size[0];
    const bool ties = strcmp(data, "ties") == 0;
    if (strcmp(data, "special") == 0) {
        make_special(rng, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        x[i] = ties ? (float)rng_below(rng, 4) - 4 : -1 + (float)rng_unit(rng);
    if (!ties && n > 1000000)
        x[n - 1 - rng_below(rng, n / 64)] = -0x1p-30f;
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
