/* SPDX-License-Identifier: MIT */
/*
 * task.c - what the files of this folder should compute: twice each element, a walk, a sum.
 */
#include "grade/tasks/simple.h"

static void check_doubled(const size_t *size, const void *const *in, const void *const *out,
                          struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    for (size_t i = 0; i < size[0]; i++)
        compare(c, "d_out", i, got[i], 2.0 * x[i], 0);
}

/* The step is a prime above all n, so that the walk comes to each element. */
static void check_walk(const size_t *size, const void *const *in, const void *const *out,
                       struct comparison *c)
{
    const float *x = in[0], *got = out[0];
    for (size_t i = 0; i < size[0]; i++)
        compare(c, "d_out", i, got[i], x[224737 * i % size[0]], 0);
}

const struct task task_bug04a = {
    BUG("bug-04a", "04_vectorized", 4, "find the bug: twice each of n floats"),
    MAP,
    .make_inputs = negatives,
    .check = check_doubled,
};

const struct task task_bug04b = {
    BUG("bug-04b", "04_vectorized", 4, "find the bug: a walk in large steps"),
    MAP,
    .make_inputs = negatives,
    .check = check_walk,
};

const struct task task_bug04c = {
    BUG("bug-04c", "04_vectorized", 4, "find the bug: the sum of n floats"),
    SUM,
};
