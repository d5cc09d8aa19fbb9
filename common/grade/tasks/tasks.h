/* SPDX-License-Identifier: MIT */
/*
 * tasks.h - the interface of tasks/, which knows what is asked of a student and what it is worth.
 *
 * It owns the exercises (task.h says what one is), the tests of each with their points, conditions
 * and hints (tests.h), and the judging of a file by these tests (judge.c). It prints nothing.
 * grade.c and report/ call it; files are compiled and run by protect/.
 */
#ifndef TASKS_H
#define TASKS_H

#include "simple.h"
#include "task.h"
#include "tests.h"

enum result { RESULT_NOT_RUN, RESULT_FAILED, RESULT_PASSED };

/* The outcome of one test. The texts are empty if it has passed. */
struct verdict {
    enum result result;
    enum cause cause;
    double points;
    const char *shape; /* n = 1000, threshold = 3, of the run that failed; right with 1, 33 */
    const char *expected, *seen;
    const char *place; /* file:line, if known */
    const char *code;  /* that line, and a second one related to it */
    const char *sizes; /* 1000x3, as make show takes them; empty: its own will do */
    const char *hint;
};
extern const struct verdict verdict_none;

/* A submission with its points. */
struct mark {
    const struct task *task;
    const char *file; /* as it was given */
    uint64_t seed;
    const char *refused; /* why nothing was run; empty: it was */
    const struct tests *tests;
    struct verdict verdict[MOST_TESTS]; /* of tests->test[i] */
    double points;
    double score;    /* on the board, with all points; 0: none */
    const char *why; /* the student's explanation of a repair; empty: none */
    bool prints;     /* printf(), cout: see called.c */
    unsigned protections;
    double seconds;
};

/* Without a point so far. */
struct mark mark_none(const struct task *task, uint64_t seed, const char *file);

/* Judges a file. The seed determines all inputs and sizes. After two runs that take too long, the
 * other tests are not run. */
void judge(const struct course *course, const struct task *task, const char *file, uint64_t seed,
           struct mark *mark);

/*
 * repair.c: how many lines were added and removed between two C++ texts. A line here ends with a
 * semicolon or a brace, also in a directive, or with the directive; each 100 characters of it count
 * as one. So the layout does not matter; comments and spaces do not count.
 */
size_t changed_lines(const char *before, const char *after);

/* The comment after the first "// Why:" that begins a line, with the comment lines that follow up
 * to an empty one. Empty: there is none. */
const char *why_of(const char *text);

#endif
