/* SPDX-License-Identifier: MIT */
/*
 * task.c - how often each value occurs among n bytes. Counts are exact.
 */
#include <string.h>

#include "grade/tasks/task.h"

enum { BINS = 256 };

static size_t count_bins(const size_t *size)
{
    (void)size;
    return BINS;
}

/* uniform: all values. few: three of them, and one of these most of the time. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    uint8_t *x = in[0];
    const bool few = strcmp(data, "few") == 0;
    const size_t most = rng_below(rng, BINS);
    for (size_t i = 0; i < size[0]; i++)
        x[i] = (uint8_t)(!few                      ? rng_below(rng, BINS)
                         : rng_below(rng, 10) == 0 ? most + 100 * rng_below(rng, 3)
                                                   : most);
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const uint8_t *x = in[0];
    const int32_t *got = out[0];
    size_t count[BINS] = {0};
    for (size_t i = 0; i < size[0]; i++)
        count[x[i]]++;
    for (size_t v = 0; v < BINS; v++)
        compare(c, "d_out", v, got[v], (double)count[v], 0);
}

const struct task task_openhistogram = {
    .name = "open-histogram",
    .title = "how often each value occurs among n bytes",
    .folder = "04_vectorized/open-histogram",
    .size_names = {"n"},
    .data_sets = "uniform few",
    .in = {{"d_in", ELEM_U8, count_n}},
    .out = {{"d_out", ELEM_I32, count_bins}},
    .make_inputs = make_inputs,
    .check = check,
};
