/* SPDX-License-Identifier: MIT */
/*
 * judge.h - runs the tests of an exercise on a submission and gives points.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "grade/protect/submission.h"
#include "tests_txt.h"

enum result { RESULT_NOT_RUN, RESULT_FAILED, RESULT_PASSED };

/* What became of one test. The texts are empty where it has passed. */
struct verdict {
    enum result result;
    double points;
    char shape[128]; /* n = 1000, threshold = 3, of the run that failed */
    char expected[TEXT_BYTES];
    char seen[MESSAGE_BYTES];
    char place[TEXT_BYTES]; /* file:line, where it is known */
};

/* A submission with its points. */
struct mark {
    const struct task *task;
    char file[PATH_BYTES]; /* as it was given */
    uint64_t seed;
    char refused[MESSAGE_BYTES]; /* why nothing was run; empty: it was */
    struct table table;
    struct verdict verdict[MOST_TESTS]; /* of table.test[i] */
    double points;
    unsigned protections;
    double seconds;
};

/*
 * Judges a file. The seed decides all inputs and sizes. False: the exercise itself cannot be read,
 * and `mark->refused` says why. After two runs that take too long, the other tests are not run.
 */
bool judge(const struct course *course, const struct task *task, const char *file, uint64_t seed,
           struct mark *mark);

#endif
