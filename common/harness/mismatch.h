/* SPDX-License-Identifier: MIT */
/*
 * mismatch.h - what stderr says of a wrong result: the first ten mismatches in full, then a count.
 * Used by whatever runs a step and looks at the result.
 */
#ifndef MISMATCH_H
#define MISMATCH_H

#include "compare.h"

#include <stdio.h>

enum { CAUSES_TOLD = 6, CAUSE_LENGTH = 240 };
#define NO_PLACE SIZE_MAX /* a cause that is not that of one element of the output */

/* Where mismatches are reported. Set the first four fields, zero the rest. */
typedef struct {
    const char *step, *variant;
    const device_t *device;
    FILE *stream;
    size_t count; /* so far */
    size_t spent; /* on runs of the step, to find causes */
    size_t told;  /* causes, each in words and once */
    char causes[CAUSES_TOLD][CAUSE_LENGTH];
    char first_cause[CAUSE_LENGTH]; /* with its numbers */
} mismatches_t;

/*
 * Report what is wrong with the step when it ran on `input`, the first one `offset` elements off a
 * 256-byte boundary. `format` and what follows say it, as in printf, without a line end.
 */
__attribute__((format(printf, 4, 5))) void mismatches_add(mismatches_t *m, const input_t *input,
                                                          size_t offset, const char *format, ...);

/* Report a wrong outcome: index, got, expected, error and allowed error. */
void mismatches_add_outcome(mismatches_t *m, const input_t *input, size_t offset,
                            const outcome_t *outcome);

/* Whether the last mismatch was printed: only then its cause is of use. */
bool mismatches_shown(const mismatches_t *m);

/*
 * Print the cause of the last mismatch, that of element `index` of the output, or of no element
 * where it is NO_PLACE. Not where the same has been told: other numbers alone make no other cause.
 */
void mismatches_cause(mismatches_t *m, const input_t *input, size_t index, const char *cause);

/* Say how many mismatches were not printed, and why the run failed, if it did. Call it once, at the
 * end: the last line of a run should say it. */
void mismatches_finish(const mismatches_t *m);

#endif
