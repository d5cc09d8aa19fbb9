/* SPDX-License-Identifier: MIT */
/*
 * mismatch.h - reports wrong results on stderr: the first ten mismatches in full, then a count.
 * Used by all that run a step and check the result.
 */
#ifndef MISMATCH_H
#define MISMATCH_H

#include "compare.h"

#include <stdio.h>

enum { CAUSES_REPORTED = 6, CAUSE_LENGTH = 240 };
#define NO_PLACE SIZE_MAX /* a cause that does not belong to one element of the output */

/* Where mismatches are reported. Set the first four fields, zero the rest. */
typedef struct {
    const char *step, *variant;
    const device_t *device;
    FILE *stream;
    size_t count;    /* so far */
    size_t spent;    /* on runs of the step, to find causes */
    size_t reported; /* causes reported, each once */
    char causes[CAUSES_REPORTED][CAUSE_LENGTH];
    char first_cause[CAUSE_LENGTH]; /* with its numbers */
} mismatches_t;

/*
 * Report what was wrong when the step ran on `input`, the first one `offset` elements off a
 * 256-byte boundary. `format` and its arguments are those of printf, without a line end.
 */
__attribute__((format(printf, 4, 5))) void mismatches_add(mismatches_t *m, const input_t *input,
                                                          size_t offset, const char *format, ...);

/* Report a wrong outcome: index, got, expected, error and allowed error. */
void mismatches_add_outcome(mismatches_t *m, const input_t *input, size_t offset,
                            const outcome_t *outcome);

/* Whether the last mismatch was printed: only then its cause is useful. */
bool mismatches_shown(const mismatches_t *m);

/*
 * Print the cause of the last mismatch, of element `index` of the output, or of no element if it is
 * NO_PLACE. Not if the same cause was reported before: different numbers alone do not make it
 * another one.
 */
__attribute__((format(printf, 4, 5))) void mismatches_cause(mismatches_t *m, const input_t *input,
                                                            size_t index, const char *format, ...);

/* Say how many mismatches were not printed, and why the run failed, if it did. Call it once, at the
 * end: it should be the last line of a run. */
void mismatches_finish(const mismatches_t *m);

#endif
