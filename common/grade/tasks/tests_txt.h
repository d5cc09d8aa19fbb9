/* SPDX-License-Identifier: MIT */
/*
 * tests_txt.h - tests.txt of an exercise: a line for each test.
 *
 *   name | points | sizes | data | requires | hint | hint ...
 *
 * sizes      shapes, with commas between; each is one run, and all must pass. A shape has a value
 *            for each size of the task with `x` between, and maybe an offset: 1000x3@1. A value is
 *            a number, or low..high for a random one. The offset, in elements, moves all arrays.
 * data       a data set of the task
 * requires   conditions with `;` between, see require.h; may be empty
 * hint       see hint.h; the first without WHEN is about what the test asks for
 * # starts a comment line.
 */
#ifndef TESTS_TXT_H
#define TESTS_TXT_H

#include "hint.h"
#include "task.h"

enum { MOST_SHAPES = 8, MOST_TESTS = 32, TEXT_BYTES = 320 };

struct range {
    size_t low, high;
};

/* Each value is drawn by range_draw(). */
struct shape {
    struct range size[TASK_SIZES], offset;
};

struct test {
    char name[TEXT_BYTES], data[TEXT_BYTES], requires[TEXT_BYTES];
    struct hints hints;
    double points;
    struct shape shape[MOST_SHAPES];
    size_t shapes;
};

struct tests {
    struct test test[MOST_TESTS];
    size_t count;
    double points;
};

/* Reads the tests of a task. False: `why` says what is wrong, with file and line. */
bool tests_read(const char *path, const struct task *task, struct tests *tests, char *why,
                size_t bytes);

size_t range_draw(const struct range *r, rng_t *rng);

#endif
