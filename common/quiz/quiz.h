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
#include <stdint.h>

#include "harness/rng.h"
#include "pattern.h"
#include "simt/driver/inside.h"

enum { QUIZ_LEVELS = 3, QUIZ_MOST = 1000, QUIZ_TEXT = 64 };

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
    /* "width 1 4 power: 2 2^0..2 4, threads 32 256 multiple: 32 64 1..4*32": what is accepted, from
     * 1 to 4 and so on, and what is drawn on each level. `draw` is for what that cannot say. */
    const char *arguments;
    void (*draw)(rng_t *rng, const struct choice *c, int arg[PATTERN_ARGS]);
    const char *(*show)(const int arg[PATTERN_ARGS]); /* the code, and the question: */
    const char *question, *why;
};
extern const struct kind kinds[PATTERNS];

struct question {
    enum pattern pattern;
    int arg[PATTERN_ARGS];
};

/* "stride 6 1", and back. False: it is not a question, and `why` says what is accepted. */
const char *question_text(const struct question *q);
bool question_read(const char *typed, struct question *q, const char **why);

/* "stride pitch": the names of the kinds that a choice has. */
const char *choice_kinds(const struct choice *c);

/* Draws `count` questions, all different if there are enough. */
void questions_draw(const struct choice *c, struct question *questions);

/* Runs the kernel once. Returns the emulator's count, on a GPU 0; ends the program if CUDA reports
 * an error. */
long question_count(const struct question *q);

#endif
