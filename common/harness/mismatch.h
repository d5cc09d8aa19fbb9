/* SPDX-License-Identifier: MIT */
/*
 * mismatch.h - what stderr says of a wrong result: the first ten mismatches in full, then a count.
 * Used by whatever runs a step and looks at the result.
 */
#ifndef MISMATCH_H
#define MISMATCH_H

#include "compare.h"

#include <stdio.h>

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
