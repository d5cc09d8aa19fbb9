/* SPDX-License-Identifier: MIT */
/*
 * task.c - the product of two matrices of small integers, whose sums are exact in any order.
 */
#include <math.h>
#include <string.h>

#include "grade/tasks/task.h"

/* Without an output no element of an input is needed. */
static size_t count_a(const size_t *size)
{
    return size[2] > 0 ? size[0] * size[1] : 0;
}

static size_t count_b(const size_t *size)
{
    return size[0] > 0 ? size[1] * size[2] : 0;
}

static size_t count_out(const size_t *size)
{
    return size[0] * size[2];
}

/* Of a product one factor is from -1 to 1, and the other one odd and up to 4095: it needs 12 bits,
 * more than a half has. Up to 4096 such products add up exactly. */
static void fill(rng_t *rng, float *x, size_t n, size_t inner, size_t stride, size_t large)
{
    for (size_t i = 0; i < n; i++) {
        const bool is_large = inner > 0 && i / stride % inner % 2 == large;
        const int large_one = 2 * (int)rng_below(rng, 4096) - 4095;
        x[i] = (float)(is_large ? large_one : (int)rng_below(rng, 3) - 1);
    }
}

/* integers: see fill(). special: in every fourth column of B one element is NaN or infinite, in
 * column 4 the last one, and so is the last element of row 4 of A. Such a sum is the same in any
 * order, and 0 times such an element is NaN: it shows where an element beyond the edge is read. */
static void make_inputs(rng_t *rng, const char *data, const size_t *size, void *const *in)
{
    const bool special = strcmp(data, "special") == 0;
    float *const a = in[0], *const b = in[1];
    fill(rng, a, count_a(size), size[1], 1, 0);
    fill(rng, b, count_b(size), size[1], size[2], 1);
    for (size_t col = 0; special && col < size[2]; col += 4)
        b[(col == 4 ? size[1] - 1 : rng_below(rng, size[1])) * size[2] + col] =
            col % 8 ? INFINITY : any_nan(rng);
    if (special && size[0] > 4)
        a[5 * size[1] - 1] = INFINITY;
}

static void check(const size_t *size, const void *const *in, const void *const *out,
                  struct comparison *c)
{
    const float *a = in[0], *b = in[1], *got = out[0];
    for (size_t i = 0; i < count_out(size); i++) {
        const size_t row = i / size[2], col = i % size[2];
        double sum = 0;
        for (size_t k = 0; k < size[1]; k++)
            sum += (double)a[row * size[1] + k] * b[k * size[2] + col];
        compare(c, "d_out", i, got[i], sum, 0);
    }
}

const struct task task_openmatmul = {
    .name = "open-matmul",
    .title = "the product of two matrices",
    .folder = "03_no_bank_conflict/open-matmul",
    .size_names = {"rows", "inner", "cols"},
    .data_sets = "integers special",
    .in = {{"d_a", ELEM_F32, count_a}, {"d_b", ELEM_F32, count_b}},
    .out = {{"d_out", ELEM_F32, count_out}},
    .make_inputs = make_inputs,
    .check = check,
};
