/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: values above 0, neighbours, squares.
 */
#include <math.h>

#include "grade/tasks/simple.h"

/* random: in [-1, 1), and a NaN or an infinity now and then. */
static void specials(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    const float values[] = {NAN, INFINITY, -INFINITY, -0.0f};
    float *x = in[0];
    (void)data;
    for (size_t i = 0; i < size[0]; i++)
        x[i] = rng_below(rng, 8) > 0 ? (float)(2 * rng_unit(rng) - 1) : values[rng_below(rng, 4)];
}

static void check_relu(const size_t *size, const void *const *in, const void *const *out,
                       struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    for (size_t i = 0; i < size[0]; i++)
        compare(c, "d_out", i, got[i], x[i] <= 0 ? 0 : x[i], 0);
}

static void check_neighbours(const size_t *size, const void *const *in, const void *const *out,
                             struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t n = size[0];
    for (size_t i = 0; i < n; i++)
        compare(c, "d_out", i, got[i], (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0),
                0);
}

/* The square in double is rounded to float once, as the kernel does. */
static void check_squares(const size_t *size, const void *const *in, const void *const *out,
                          struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    for (size_t i = 0; i < size[0]; i++)
        compare(c, "d_out", i, got[i], (float)((double)x[i] * x[i]), 0);
}

const struct task task_bug07a = {
    BUG("bug-07a", "07_elementwise", 4, "find the bug: values above 0"),
    MAP,
    .make_inputs = specials,
    .check = check_relu,
};

const struct task task_bug07b = {
    BUG("bug-07b", "07_elementwise", 4, "find the bug: sums of three neighbours"),
    MAP,
    .make_inputs = integers,
    .check = check_neighbours,
};

const struct task task_bug07c = {
    BUG("bug-07c", "07_elementwise", 4, "find the bug: squares"),
    MAP,
    .make_inputs = specials,
    .check = check_squares,
};
