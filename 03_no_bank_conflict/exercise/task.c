/* SPDX-License-Identifier: MIT */
/*
 * task.c - the transpose of a matrix. Elements are moved, so nothing is allowed.
 */
#include "grade/tasks/task.h"

/* uniform: in [0, 1). */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    (void)data;
    float *x = in[0];
    for (size_t i = 0; i < count_all(size); i++)
        x[i] = (float)rng_unit(rng);
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    const size_t rows = size[0], cols = size[1];
    for (size_t i = 0; i < rows * cols; i++)
        compare(c, "d_out", i, got[i], x[i % rows * cols + i / rows], 0);
}

const struct task task_03 = {
    .name = "03",
    .title = "transpose a matrix in tiles, without bank conflicts",
    .folder = "03_no_bank_conflict/exercise",
    .size_names = {"rows", "cols"},
    .data_sets = "uniform",
    .in = {{"d_in", ELEM_F32, count_all}},
    .out = {{"d_out", ELEM_F32, count_all}},
    .make_inputs = make_inputs,
    .check = check,
};
