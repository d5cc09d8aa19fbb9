/* SPDX-License-Identifier: MIT */
/*
 * tests.h - tests.txt of an exercise: a line for each test. `#` starts a comment line.
 *
 *   name | points | sizes | data | requires | hint | hint ...
 *
 * sizes      shapes, separated by commas; each is one run, and all must pass. A shape has a value
 *            for each size of the task, joined by `x`, and maybe an offset: 1000x3@1. A value is
 *            a number, or low..high for a random one. The offset, in elements, moves all arrays;
 *            @0+1 moves each by one more than the one before, and @1#2 moves array 2 alone, where
 *            the inputs and then the outputs are counted from 1.
 *            With 1000x3 & 50x2 solve is called for both in one process: the second call must be
 *            right, too. So a test that counts something has no `&`.
 * data       a data set of the task; one shape has another with its name before: special:1000x3
 * requires   conditions separated by `;`; may be empty:
 *                shared_wavefronts <= 1.00 * shared_wavefronts_ideal; no faults
 *            Each is two expressions joined by <= >= == != < >, or `no NAME`: it is 0. An
 *            expression is made of numbers, + - * / and brackets, the counters of protect/job.h,
 *            the sizes of the task by name, in_bytes, out_bytes, work_bytes, and faults: whether
 *            the emulator has found one. Division is that of real numbers. If the task is a file to
 *            be repaired: changed_lines (tasks.h), and repair, the limit of task.h.
 * hint       up to 12; `text` is about what the test asks for. `WHEN: text` is about one condition,
 *            where WHEN is its counter, or about one kind of failure, where WHEN is a kind of
 *            hints.txt.
 *
 * A line with the name `board` and 0 points is not a test: requires is one expression, the score of
 * a submission with all points. Less is better.
 */
#ifndef TESTS_H
#define TESTS_H

#include "task.h"

enum { MOST_TESTS = 32, MOST_SHAPES = 16, MOST_CONDITIONS = 16, MOST_HINTS = 12 };

struct range {
    size_t low, high, step; /* 0: each number of the range */
};

/* Each value is drawn by range_draw(). */
struct shape {
    const char *data;
    struct range size[TASK_SIZES], offset;
    size_t apart; /* each array is so many elements further than the previous one */
    size_t only;  /* the array that is moved, from 1; 0: all of them */
    bool again;   /* it comes after the shape before, in the same process */
};

struct hint {
    const char *when; /* empty: always */
    const char *part; /* in hints.txt: of the message */
    const char *text;
};

struct test {
    const char *name, *data;
    double points;
    size_t shapes, conditions, hints;
    struct shape shape[MOST_SHAPES];
    const char *condition[MOST_CONDITIONS];
    struct hint hint[MOST_HINTS];
};

struct tests {
    struct test test[MOST_TESTS];
    size_t count;
    double points;
    struct test board; /* no shapes: there is no board */
    const char *score; /* its expression */
};

/* Reads hints.txt and the tests of all tasks of the course in `root`, or those of one task from a
 * file. Ends the grader with 2 if a line is wrong, and says which. */
void tests_read_all(const char *root);
void tests_read(struct tests *to, const struct task *task, const char *path);
const struct tests *tests_of(const struct task *task); /* of those that are read */
const char *task_names(void);                          /* separated by spaces */

size_t range_draw(const struct range *r, rng_t *rng);

/* ---- conditions ---- */

/* What a condition may name, with its value in one run. */
struct facts {
    const char *name[JOB_NAMES + TASK_SIZES + 7];
    double value[JOB_NAMES + TASK_SIZES + 7];
    size_t count;
};

struct facts facts_of(const struct task *task, const size_t *size, const struct reply *reply,
                      bool faults, size_t changed, double points);
double fact(const struct facts *facts, const char *name); /* NaN: it is none of them */

enum held { UNREADABLE, FAILS, HOLDS };
enum held condition_holds(const char *condition, const struct facts *facts, double *left,
                          double *right);
double score_of(const char *expression, const struct facts *facts);

/* ---- hints ---- */

/* Why a run does not pass. */
enum cause {
    CAUSE_FINDING,   /* the emulator has found a race, a bad access, ... */
    CAUSE_ENDLESS,   /* no answer in time */
    CAUSE_ERROR,     /* solve, or a launch, failed */
    CAUSE_SCRATCH,   /* it asks for too much scratch */
    CAUSE_UNTOUCHED, /* nothing was written where a value belongs */
    CAUSE_RESULT,    /* a wrong value */
    CAUSE_AGAIN,     /* the same, only in the second call in one process */
    CAUSE_NOT_DONE,  /* the work is not done in kernels */
    CAUSE_CONDITION, /* the result is right, a condition of the test does not hold */
};

/*
 * The hint of a failed test. It must fit what went wrong: the test's own one only if it is about
 * that, else the one of hints.txt. `fault` is the emulator's message, for CAUSE_FINDING;
 * `condition` is the one that does not hold, for CAUSE_CONDITION.
 */
const char *hint_choose(const struct test *test, enum cause cause, const char *fault,
                        const char *condition);

#endif
