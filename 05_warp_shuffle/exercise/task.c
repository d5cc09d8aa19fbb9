/* SPDX-License-Identifier: MIT */
/*
 * task.c - the index of the largest element of each row. An index is exact.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* Both zeros, which are equal, infinities, a NaN now and then. A quarter of the rows holds nothing
 * but -infinity, another one has no NaN, and a third one only zeros and subnormal numbers. */
static float special(rng_t *rng, size_t row)
{
    const float values[] = {0.0f, -0.0f, -INFINITY, INFINITY, any_nan(rng)};
    if (row % 4 == 0)
        return -INFINITY;
    if (row % 4 == 1)
        return copysignf(rng_below(rng, 16) * 0x1p-149f, rng_below(rng, 4) ? -1 : 1);
    if (rng_below(rng, 4) > 0)
        return -(float)rng_unit(rng);
    return values[rng_below(rng, row % 4 == 2 ? 4 : 5)];
}

/* uniform: in [-1, 0), so that 0 is no identity, and every fourth row ends with its largest, which
 * no index of too few bits finds. ties: four values. special: see above. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    const bool ties = strcmp(data, "ties") == 0, specials = strcmp(data, "special") == 0;
    for (size_t i = 0; i < count_all(size); i++) {
        const bool is_largest = i / size[1] % 4 == 0 && i % size[1] == size[1] - 1;
        x[i] = ties         ? (float)rng_below(rng, 4) - 4
               : specials   ? special(rng, i / size[1])
               : is_largest ? -0x1p-30f
                            : -1 + (float)rng_unit(rng);
    }
}

/* The first NaN, or else the first of the largest. -1 for a row of no elements. */
static long first_largest(const float *row, size_t cols)
{
    long best = cols > 0 ? 0 : -1;
    for (size_t i = 0; i < cols; i++) {
        if (isnan(row[i]))
            return (long)i;
        if (row[i] > row[best])
            best = (long)i;
    }
    return best;
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0];
    const int32_t *got = out[0];
    for (size_t row = 0; row < size[0]; row++)
        compare(c, "d_out", row, got[row], (double)first_largest(x + row * size[1], size[1]), 0);
}

const struct task task_05 = {
    .name = "05",
    .title = "the index of the largest element of each row",
    .folder = "05_warp_shuffle/exercise",
    .size_names = {"rows", "cols"},
    .data_sets = "uniform ties special",
    .in = {{"d_in", ELEM_F32, count_all}},
    .out = {{"d_out", ELEM_I32, count_n}},
    .make_inputs = make_inputs,
    .check = check,
};
