/* SPDX-License-Identifier: MIT */
/*
 * compare.h - a whole output against what is expected, and the report of what is wrong: the first
 * ten mismatches in full, then a count. Used by whatever runs a step and looks at the result.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "expect.h"

#include <stdio.h>

/* The first wrong element, or where none is wrong the first one. */
typedef struct {
    size_t index; /* of the output */
    double got;
    expect_t expect;
    bool never_written; /* it still holds the poison */
    size_t wrong;       /* elements that are wrong, in all */
} outcome_t;

/*
 * Read d_out (device, problem_out_n() elements, poisoned with POISON_OUTPUT before the run) after
 * the work that is queued on `stream`, and compare every element. An output of no elements is
 * right.
 */
outcome_t compare_output(const input_t *input, const device_t *device, const void *d_out,
                         cudaStream_t stream);

/* Where mismatches are reported. Set the first four fields, zero the last. */
typedef struct {
    const char *step, *variant;
    const device_t *device;
    FILE *stream;
    size_t count; /* so far */
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

/* Say how many mismatches were not printed, if any. Call it once, at the end. */
void mismatches_finish(const mismatches_t *m);

#endif
