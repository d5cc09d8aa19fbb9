/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: rows moved to 0 .. 1, a transpose,
 * running sums.
 */
#include <math.h>

#include "grade/tasks/simple.h"

/* random: in [0, 1). */
static void uniform(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    float *x = in[0];
    (void)data;
    for (size_t i = 0; i < count_all(size); i++)
        x[i] = (float)rng_unit(rng);
}

/* Two differences and a quotient, each rounded by 2^-24 of its value at most: 4 times that is
 * allowed. A row of one element is 0 / 0. */
static void check_scaled(const size_t *size, const void *const *in, const void *const *out,
                         struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t cols = size[1];
    for (size_t row = 0; row < size[0] && cols > 0; row++) {
        double low = x[row * cols], high = low;
        for (size_t i = row * cols; i < (row + 1) * cols; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        for (size_t i = row * cols; i < (row + 1) * cols; i++) {
            const double scaled = high > low ? (x[i] - low) / (high - low) : NAN;
            compare(c, "d_out", i, got[i], scaled, 0x1p-22 * scaled);
        }
    }
}

static void check_transpose(const size_t *size, const void *const *in, const void *const *out,
                            struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t rows = size[0], cols = size[1];
    for (size_t i = 0; i < rows * cols; i++)
        compare(c, "d_out", i, got[i], x[i % rows * cols + i / rows], 0);
}

/* integers: from -8 to 8, so that no sum is rounded. */
static void row_integers(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    integers(rng, data, (size_t[]){count_all(size)}, in);
}

static void check_running_sums(const size_t *size, const void *const *in, const void *const *out,
                               struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    double sum = 0;
    for (size_t i = 0; i < count_all(size); i++) {
        sum = (i % size[1] == 0 ? 0 : sum) + x[i];
        compare(c, "d_out", i, got[i], sum, 0);
    }
}

#define ROWS                                                                                       \
    .size_names = {"rows", "cols"}, .data_sets = "random", .in = {{"d_in", ELEM_F32, count_all}},  \
    .out = {{"d_out", ELEM_F32, count_all}}

const struct task task_bug03a = {
    BUG("bug-03a", "03_no_bank_conflict", 4, "find the bug: rows moved to 0 .. 1"),
    ROWS,
    .make_inputs = uniform,
    .check = check_scaled,
};

const struct task task_bug03b = {
    BUG("bug-03b", "03_no_bank_conflict", 4, "find the bug: a transpose"),
    ROWS,
    .make_inputs = uniform,
    .check = check_transpose,
};

const struct task task_bug03c = {
    BUG("bug-03c", "03_no_bank_conflict", 0, "find the bug: running sums of each row"),
    ROWS,
    .make_inputs = row_integers,
    .check = check_running_sums,
};
