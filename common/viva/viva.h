/* SPDX-License-Identifier: MIT */
/*
 * viva.h - questions about one file, answered by traces of it and of changed copies.
 *
 *   change.c   which copies: without a barrier, with `row <= rows` in place of `row < rows`, with
 *              another block
 *   runs.c     the traces of the file and of its copies
 *   kinds.c    the kinds of questions; what a change does
 *   counts.c   kinds about steps and what they cost
 *   values.c   the kind about what a word of shared memory is made of
 *   marks.c    answers as they are typed, and marks of them
 *   viva.c     the command line: asks; writes a sheet and its key
 */
#ifndef VIVA_H
#define VIVA_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/rng.h"
#include "pages/trace/rows.h"

enum {
    MOST_QUESTIONS = 50,
    MOST_RUNS = 8,
    MOST_STEPS = 4000, /* about what a page holds */
    MOST_LINE = 4096,
    MOST_TEXT = 900,
    MOST_PLACE = 360,
    MOST_ANSWER_TEXT = 64,
    MOST_PATH = 4096,
    MOST_WHY = 400,
    OTHERS = 4, /* runs with other inputs; in the last one they begin one element later */
    TRIES = 64
};

/* What is different from the file itself. */
typedef enum {
    CHANGE_NONE,
    CHANGE_BARRIER,
    CHANGE_EDGE,
    CHANGE_BLOCK,
    CHANGE_PADDING,
    CHANGE_SIZE,
    CHANGES
} change_t;

/* The file, or a copy with one change, as it ran. In the trace a step has a line only if that is a
 * line of the file. */
typedef struct viva_run {
    const struct viva_run *base;     /* the file itself at the size of an edge; or NULL */
    struct viva_run *others[OTHERS]; /* with other inputs; NULL: it did not run */
    int number;                      /* FOLDER/2.trace; 0: the file itself */
    change_t change;                 /* FOLDER/2.cu has it, unless it is another size */
    unsigned line;                   /* that is changed, or 0 */
    char options[MOST_PATH];         /* of `make show`: "N=200" */
    char phrase[MOST_PLACE];         /* "Take BLOCK_SIZE 128. With n = 256: " */
    trace_t trace;
    int *places;                 /* of each step in the page of `make show`, from 0 */
    ran_t ran;                   /* its sum is also made of the stores; "" if it is not known */
    char race[MOST_ANSWER_TEXT]; /* without a barrier: "no", "31 39"; "" if it is not clear */
} run_t;

typedef struct {
    const char *kind;
    char text[MOST_TEXT], answer[MOST_ANSWER_TEXT]; /* "3 19", "none", "no", "b" */
    unsigned line;                                  /* of the file, to be shown; 0: none */
    const run_t *run;
    int step;           /* of its trace: it shows the answer */
    char why[MOST_WHY]; /* "Lane 3 uses s_data[7]."; or "" */
} question_t;

typedef struct {
    const char *source, *folder;
    run_t runs[MOST_RUNS];
    int count;
} viva_t;

/* Draws changes for a file that has run as FOLDER/0.trace, writes the copies and FOLDER/runs, which
 * has a line for it and each copy: NUMBER,CHANGE,LINE,OPTIONS,PHRASE. False, and a message: it
 * cannot. */
bool changes_write(const char *source, const char *folder, rng_t *rng);

/* Reads the traces, in which the round of a step becomes the number of the execution of its line by
 * its warp. A copy without a trace is left out. False, and a message: there is no trace of
 * the file itself. */
bool runs_read(viva_t *v);
bool run_read(const viva_t *v, run_t *run, const char *ending); /* of its trace: "trace" */

/* Asks about a run, as q->kind says: writes the question and its answer. False: not about it. */
typedef bool ask_fn(const run_t *run, rng_t *rng, question_t *q);
ask_fn ask_place, ask_times, ask_warps, ask_holds;

/* Do the same words describe both? */
bool is_like(const trace_step_t *a, const trace_step_t *b);
unsigned openings(const trace_t *t); /* of the barrier, for the block that was traced */
unsigned block_of(const run_t *run); /* its number */
/* "3rd __syncthreads() (the 1st is in line 28)". NULL: that is not in the file. */
const char *name_opening(const trace_t *t, unsigned opening);
const char *element_name(const trace_t *t, int array, long long index);
const char *ending(unsigned n); /* of 1st, 2nd */
/* Who wrote an element before q->step, and from what; the page shows that. */
void explain_store(const trace_t *t, int array, long long index, question_t *q);

/* Draws up to `most` questions, all different; returns how many. */
int questions_draw(const viva_t *v, rng_t *rng, question_t *questions, int most);

/* "19, 3 3" becomes "3 19", "B" becomes "b": numbers are a set. False: it is no answer. */
bool answer_read(const char *typed, char answer[MOST_ANSWER_TEXT]);
bool answer_fits(const char *kind, const char *answer); /* has it a word, or as many numbers? */
bool answer_is_right(const char *wanted, const char *answer); /* one that has been read */

/* Prints `student,points,note` for each row of answers, and what became of it on stderr. Returns 0;
 * 1: a row was refused; 2: no file. */
int marks_print(const char *key, const char *answers);

#endif
