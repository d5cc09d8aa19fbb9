/* SPDX-License-Identifier: MIT */
/*
 * faults.h - what is found wrong, as lines on a stream: the first ten in full, then a count.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "compare.h"

#include <stdio.h>

/* Where faults go. Set the first four fields, zero the last. */
typedef struct {
    const char *step, *variant;
    const device_t *device;
    FILE *stream;
    size_t count; /* so far */
} faults_t;

/*
 * Report a fault of the step when it ran on `input`, the first one `offset` elements off a 256-byte
 * boundary. `format` and what follows say what is wrong, as in printf, without a line end.
 */
__attribute__((format(printf, 4, 5))) void faults_add(faults_t *faults, const input_t *input,
                                                      size_t offset, const char *format, ...);

/* Report a wrong outcome: index, got, expected, error and allowed error. */
void faults_add_outcome(faults_t *faults, const input_t *input, size_t offset,
                        const outcome_t *outcome);

/* Say how many faults were not printed, if any. Call it once, at the end. */
void faults_finish(const faults_t *faults);

#endif
