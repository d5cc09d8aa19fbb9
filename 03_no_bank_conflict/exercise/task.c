/* SPDX-License-Identifier: MIT */
/*
 * task.c - the transpose of a matrix. Elements are moved, so all bits must be the same, those of a
 * NaN as well.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* any: in [0, 1), and every eighth element is one of the others that a float may be. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    (void)data;
    float *x = in[0];
    for (size_t i = 0; i < count_all(size); i++) {
        const float others[] = {-0.0f, -FLT_MAX, INFINITY, -INFINITY, 0x1p-149f, any_nan(rng)};
        const size_t other = rng_below(rng, 8 * sizeof others / sizeof *others);
        x[i] = other < sizeof others / sizeof *others ? others[other] : (float)rng_unit(rng);
    }
}

static uint32_t bits_of(const float *x)
{
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits;
}

/* Of a NaN, with its sign; never 0. A report shows 9 digits, which all bits do not fit. */
static double payload(uint32_t bits)
{
    return (bits >> 31 ? -1.0 : 1.0) * (bits & 0x7fffff);
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t rows = size[0], cols = size[1];
    for (size_t i = 0; i < rows * cols; i++) {
        const float *from = &x[i % rows * cols + i / rows];
        /* No difference is below -1: so -0 is not 0. */
        if (isnan(*from) && isnan(got[i]))
            compare(c, "payload of the NaN d_out", i, payload(bits_of(&got[i])),
                    payload(bits_of(from)), 0);
        else
            compare(c, "d_out", i, got[i], *from, bits_of(&got[i]) == bits_of(from) ? 0 : -1);
    }
}

const struct task task_03 = {
    .name = "03",
    .title = "transpose a matrix in tiles, without bank conflicts",
    .folder = "03_no_bank_conflict/exercise",
    .size_names = {"rows", "cols"},
    .data_sets = "any",
    .in = {{"d_in", ELEM_F32, count_all}},
    .out = {{"d_out", ELEM_F32, count_all}},
    .make_inputs = make_inputs,
    .check = check,
};
