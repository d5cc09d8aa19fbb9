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
    char shape[256]; /* n = 1000, threshold = 3, of the run that failed; right with 1, 33 */
    char expected[TEXT_BYTES];
    char seen[MESSAGE_BYTES];
    char place[TEXT_BYTES];    /* file:line, if known */
    char code[2 * TEXT_BYTES]; /* that line, and a second one related to it */
    char sizes[64];            /* 1000x3, as make show takes them; empty: its own will do */
    char hint[HINT_BYTES];
};

/* A submission with its points. */
struct mark {
    const struct task *task;
    char file[PATH_BYTES]; /* as it was given */
    uint64_t seed;
    char refused[MESSAGE_BYTES]; /* why nothing was run; empty: it was */
    const struct tests *tests;
    struct verdict verdict[MOST_TESTS]; /* of tests->test[i] */
    double points;
    double score;            /* on the board, with all points; 0: none */
    char why[MESSAGE_BYTES]; /* the student's explanation of a repair; empty: none */
    bool prints;             /* printf(), cout: see called.c */
    unsigned protections;
    double seconds;
};

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
void why_of(const char *text, char *why, size_t bytes);

#endif
