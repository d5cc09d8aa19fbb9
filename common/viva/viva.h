/* SPDX-License-Identifier: MIT */
/*
 * viva.h - questions that traces answer: about one file and changed copies of it; of a page.
 *
 *   change.c   which copies: without a barrier, with `row <= rows` in place of `row < rows`, with
 *              another block
 *   runs.c     the traces of the file and of its copies
 *   kinds.c    the kinds of questions, what a change does, and which are asked
 *   counts.c   kinds about steps and what they cost
 *   values.c   who wrote a word, and the kind about what one of shared memory is made of
 *   marks.c    answers as they are typed, and marks of them
 *   predict.c  the questions of a lesson's page
 *   viva.c     the command line: asks; writes a sheet and its key
 *
 * Texts are made by text(), so they stay.
 */
#ifndef VIVA_H
#define VIVA_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/rng.h"
#include "pages/trace/rows.h"
#include "simt/driver/inside.h"

enum {
    MOST_QUESTIONS = 50,
    MOST_RUNS = 8,
    MOST_STEPS = 4000, /* about what a page holds */
    MOST_LINE = 4096,
    INPUTS = 5, /* of each run; in the last one they begin one element later */
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
    struct viva_run *inputs[INPUTS]; /* itself, and with other inputs; NULL: it did not run */
    int number;                      /* FOLDER/2.trace; 0: the file itself */
    change_t change;                 /* FOLDER/2.cu has it, unless it is another size */
    unsigned line;                   /* that is changed, or 0 */
    const char *options;             /* of `make show`: "N=200" */
    const char *phrase;              /* "Take BLOCK_SIZE 128. With n = 256: " */
    trace_t trace;
    int *places;      /* of each step in the page of `make show`, from 0 */
    ran_t ran;        /* its sum is also made of the stores; "" if it is not known */
    const char *race; /* without a barrier: "no", "31 39"; NULL if it is not clear */
} run_t;

typedef struct {
    const struct kind *kind;
    const char *text, *answer; /* "3 19", "none", "no", "b" */
    unsigned line;             /* of the file, to be shown; 0: none */
    const run_t *run;
    int step;        /* of its trace: it shows the answer */
    const char *why; /* "Lane 3 uses s_data[7]."; or NULL */
} question_t;

/* Asks about a run: writes the question and its answer. False: not about it. */
typedef bool ask_fn(const run_t *run, rng_t *rng, question_t *q);
ask_fn ask_place, ask_times, ask_warps, ask_holds;

/* What a step must be: one of the first four, and all of the others. */
enum { SHARED = 1 << TRACE_SHARED, GLOBAL = 1 << TRACE_GLOBAL, SHUFFLED = 8, COUNTED = 11 };
enum { LOAD = 16, WORD = 32 };

/* The answer for a step, and perhaps a lane of it; "" if the words do not fit this step after all.
 * NULL: there is none. */
typedef const char *answer_fn(const trace_t *t, const trace_step_t *s, unsigned lane);
answer_fn sectors_of, wavefronts_of, lanes_of, meets_of, source_of, writer_of;

/* What an answer follows from decides of which copies a kind asks: one that has a mistake has no
 * counts that follow from the source, and without a padding only the banks are others. */
typedef enum { OF_COUNTS, OF_BANKS, OF_CHANGES } basis_t;

typedef struct kind {
    const char *name;
    ask_fn *ask;
    basis_t basis;
    int idea;       /* of a lesson: the banks, or else shuffles, a barrier, the sectors; 0: none */
    size_t numbers; /* most of an answer */
    const char *words; /* that are an answer, too */
    /* Of ask_place alone: which steps; what is asked, where %1$u is the lane and %2$s the rest of a
     * thread's number; the answer; whether it is of one lane. */
    unsigned wanted;
    const char *asked;
    answer_fn *of;
    bool of_lane;
} kind_t;

/* Draws changes for a file that has run as FOLDER/0.trace, writes the copies and FOLDER/runs, which
 * has a line for it and each copy: NUMBER,CHANGE,LINE,OPTIONS,PHRASE. False, and a message: it
 * cannot. */
bool changes_write(const char *source, const char *folder, rng_t *rng);

typedef struct {
    const char *source, *folder;
    run_t runs[MOST_RUNS];
    int count;
} viva_t;

/* Reads the traces, in which the round of a step becomes the number of the execution of its line by
 * its warp. A copy without a trace is left out. False, and a message: there is no trace of
 * the file itself. */
bool runs_read(viva_t *v);
bool run_read(const viva_t *v, run_t *run, const char *ending); /* of its trace: "trace" */

/* Do the same words describe both? */
bool is_like(const trace_step_t *a, const trace_step_t *b);
unsigned openings(const trace_t *t); /* of the barrier, for the block that was traced */
unsigned block_of(const run_t *run); /* its number */
/* "3rd __syncthreads() (the 1st is in line 28)". NULL: that is not in the file. */
const char *name_opening(const trace_t *t, unsigned opening);
const char *element_name(const trace_t *t, int array, long long index);
const trace_lane_t *lane_of(const trace_step_t *s, unsigned lane);
/* Who wrote an element before q->step, and from what; the page shows that. */
void explain_store(const trace_t *t, const trace_lane_t *element, question_t *q);

/* Draws up to `most` questions, all different; returns how many. */
int questions_draw(const viva_t *v, rng_t *rng, question_t *questions, int most);

/* "19, 3 3" becomes "3 19", "B" becomes "b": numbers are a set. NULL: it is no answer. */
const char *answer_read(const char *typed);

char *trimmed(char *cell); /* without blanks around it, in place */

/* Asks the questions of a lesson's page, which traces in the folder answer: FOLDER/1.trace is that
 * of the first command. Or prints a line for each: its number, the page's answer, the emulator's.
 * Without a folder it prints the commands, each once. Returns 0; 1: two differ; 2: an invalid
 * page. */
int predict(const char *page, const char *folder, bool listing);

/* Prints `student,points,note` for each row of answers, and what became of it on stderr. Returns 0;
 * 1: a row was refused; 2: no file. */
int marks_print(const char *key, const char *answers);

#endif
