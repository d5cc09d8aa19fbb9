/* SPDX-License-Identifier: MIT */
/*
 * quiz.h - a question: a kernel with its arguments, and a counter of the emulator.
 *
 *   kinds.c      the kinds of questions: what is drawn, asked and explained
 *   questions.c  a question as text, the questions of a seed, and what the emulator counts
 *   quiz.c       the command line: asks, marks a file of answers
 *   pattern.cu   the kernels
 */
#ifndef QUIZ_H
#define QUIZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/rng.h"
#include "pattern.h"

enum { QUIZ_LEVELS = 3, QUIZ_MOST = 1000, QUIZ_TEXT = 64 };

/* The range of an argument: from `least` to `most`, and a power of two or a multiple. */
struct argument {
    const char *name; /* NULL: there is none */
    int least, most, multiple;
    bool power_of_two;
};

/* What the questions of a quiz are drawn from. The same choice gives the same questions. */
struct choice {
    uint64_t seed;
    int level, count;
    const char *lesson, *kind; /* "" means all */
};

struct kind {
    const char *name, *lessons; /* the lessons that have taught it: "02 03" */
    const char *counter;        /* of the emulator */
    const char *unit;           /* what is counted, for a sentence: "wavefronts" */
    struct argument argument[PATTERN_ARGS];
    void (*draw)(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS]);
    void (*ask)(FILE *out, const int arg[PATTERN_ARGS]);
    const char *why;
};
extern const struct kind kinds[PATTERNS];

struct question {
    enum pattern pattern;
    int arg[PATTERN_ARGS];
};

/* "stride 6 1", and back. False: it is not a question, and `why` says what is accepted. */
void question_text(const struct question *q, char text[QUIZ_TEXT]);
bool question_read(const char *text, struct question *q, char *why, size_t bytes);

bool choice_fits(const struct choice *c, const struct kind *kind);

/* Draws `count` questions, all different if there are enough. */
void questions_draw(const struct choice *c, struct question *questions);

/* Runs the kernel once. Returns the count, or -1 without a counter; ends the program if CUDA
 * reports an error. */
long question_count(const struct question *q);

#endif
