/* SPDX-License-Identifier: MIT */
/*
 * task.c - a dot product of n elements. x begins at element from_x of its array, y at from_y, so
 * the two pointers may be aligned in different ways.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

static size_t count_x(const size_t *size)
{
    return size[0] > 0 ? size[0] + size[1] : 0;
}

static size_t count_y(const size_t *size)
{
    return size[0] > 0 ? size[0] + size[2] : 0;
}

/*
 * Products of 1 to 1 + 2^-11, in f32: 2^e and its inverse with some low bits. A sum that has passed
 * 2^14 ends at multiples of 2^-9, so a thread that adds them one by one adds 1 and loses the rest.
 */
static void make_growing(rng_t *rng, const size_t *size, float *x, float *y)
{
    for (size_t i = 0; i < size[0]; i++) {
        const int e = (int)rng_below(rng, 7) - 3;
        x[size[1] + i] = ldexpf(1, e);
        y[size[2] + i] = ldexpf((float)(1 + rng_unit(rng) * 0x1p-11), -e);
    }
}

/* whole: numbers -8 to 8. uniform: in [-1000, 1000). growing: see above. special: whole, and in the
 * middle an infinity times 1, or if n is odd times 0, which is NaN. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    const size_t count[] = {count_x(size), count_y(size)};
    if (strcmp(data, "growing") == 0 && size[0] > 0) {
        make_growing(rng, size, in[0], in[1]);
        return;
    }
    const bool special = strcmp(data, "special") == 0;
    const bool whole = special || strcmp(data, "whole") == 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < count[k]; i++)
            ((float *)in[k])[i] =
                whole ? (float)rng_below(rng, 17) - 8 : (float)(2000 * rng_unit(rng) - 1000);
    if (special) {
        ((float *)in[0])[size[1] + size[0] / 2] = -INFINITY;
        ((float *)in[1])[size[2] + size[0] / 2] = size[0] % 2 ? 0 : 1;
    }
}

static bool is_whole(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != floorf(x[i]))
            return false;
    return true;
}

/*
 * Whole numbers: every sum is exact as long as it is below 2^24, in any order. Otherwise each
 * product is rounded once, and then once in each addition on its way to the result. The longest way
 * that is accepted is that of one block of 256 threads: n / 256 additions in a thread, then a tree.
 * Each rounding changes a value by at most 2^-24 of itself; so in all
 * |error| <= roundings * 2^-24 * sum |x y|.
 */
static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const size_t n = size[0];
    const float *x = (const float *)in[0] + size[1], *y = (const float *)in[1] + size[2];
    double sum = 0, sum_abs = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i] * y[i];
        sum_abs += fabs((double)x[i] * y[i]);
    }
    const double roundings = 1 + ceil((double)n / 256) + 32;
    const bool exact = sum_abs < 0x1p24 && is_whole(x, n) && is_whole(y, n);
    compare(c, "d_out", 0, *(const float *)out[0], sum,
            exact || !isfinite(sum) ? 0 : roundings * 0x1p-24 * sum_abs);
}

const struct task task_04 = {
    .name = "04",
    .title = "a dot product with wide loads",
    .folder = "04_vectorized/exercise",
    .size_names = {"n", "from_x", "from_y"},
    .sms = 4,
    .data_sets = "whole uniform growing special",
    .in = {{"d_x", ELEM_F32, count_x}, {"d_y", ELEM_F32, count_y}},
    .out = {{"d_out", ELEM_F32, count_one}},
    .make_inputs = make_inputs,
    .check = check,
};
