/* SPDX-License-Identifier: MIT */
/*
 * tests.h - tests.txt of an exercise: a line for each test. `#` starts a comment line.
 *
 *   name | points | sizes | data | requires | hint | hint ...
 *
 * sizes      shapes, with commas between; each is one run, and all must pass. A shape has a value
 *            for each size of the task with `x` between, and maybe an offset: 1000x3@1. A value is
 *            a number, or low..high for a random one. The offset, in elements, moves all arrays.
 * data       a data set of the task
 * requires   conditions with `;` between; may be empty:
 *                shared_wavefronts <= 1.00 * shared_wavefronts_ideal; no faults
 *            Each is two expressions with <= >= == != < > between, or `no NAME`: it is 0. An
 *            expression is made of numbers, + - * / and brackets, the counters of protect/job.h,
 *            the sizes of the task by name, in_bytes, out_bytes, work_bytes, and faults: whether
 *            the emulator has found one. Division is that of real numbers.
 * hint       `text` is about what the test asks for. `WHEN: text` is about one condition, where
 *            WHEN is its counter, or about one kind of failure, where WHEN is a kind of hints.txt.
 */
#ifndef TESTS_H
#define TESTS_H

#include "task.h"

enum { MOST_SHAPES = 8, MOST_TESTS = 32, MOST_HINTS = 4 };
enum { TEXT_BYTES = 320, HINT_BYTES = 256 };

struct range {
    size_t low, high;
};

/* Each value is drawn by range_draw(). */
struct shape {
    struct range size[TASK_SIZES], offset;
};

struct hint {
    char when[32]; /* empty: always */
    char part[64]; /* in hints.txt: of the message */
    char text[HINT_BYTES];
};

struct test {
    char name[TEXT_BYTES], data[TEXT_BYTES], requires[TEXT_BYTES];
    double points;
    struct shape shape[MOST_SHAPES];
    struct hint hint[MOST_HINTS];
    size_t shapes, hints;
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

/* ---- conditions ---- */

/* What a condition may name, with its value in one run. */
struct facts {
    const char *name[JOB_NAMES + TASK_SIZES + 4];
    double value[JOB_NAMES + TASK_SIZES + 4];
    size_t count;
};

struct facts facts_of(const struct task *task, const size_t *size, const struct reply *reply,
                      bool faults);
double fact(const struct facts *facts, const char *name); /* NaN: there is none of this name */

/* Where in a text we are, and whether it could not be read. */
struct parser {
    const char *at;
    const struct facts *facts;
    bool wrong;
};

struct condition {
    const char *text;
    int length;
    double left, right;
    bool holds;
};

/* Reads the next condition. False at the end, or where p->wrong is set. */
bool condition_next(struct parser *p, struct condition *c);

/* ---- hints ---- */

/* hints.txt, as list.sh has read it, and the words of its first column. */
extern const struct hint hint_kinds[];
extern const size_t hint_kind_count;
extern const char hint_words[];

/* Why a run does not pass. */
enum cause {
    CAUSE_FINDING,   /* the emulator has found a race, a bad access, ... */
    CAUSE_ENDLESS,   /* no answer in time */
    CAUSE_ERROR,     /* solve, or a launch, has failed */
    CAUSE_SCRATCH,   /* it asks for too much of it */
    CAUSE_RESULT,    /* a wrong value */
    CAUSE_NOT_DONE,  /* the work is not done in kernels */
    CAUSE_CONDITION, /* the result is right, a condition of the test does not hold */
};

/*
 * The hint of a failed test. It must fit what went wrong: the test's own one only where it is about
 * that, else the one of hints.txt. `fault` is the emulator's message, for CAUSE_FINDING;
 * `condition` is the one that does not hold, for CAUSE_CONDITION.
 */
const char *hint_choose(const struct test *test, enum cause cause, const char *fault,
                        const char *condition);

#endif
