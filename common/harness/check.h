/* SPDX-License-Identifier: MIT */
/*
 * check.h - run a step once, between guard zones, and find out whether it did what the contract
 * says. Used by cases.c and main.c.
 */
#ifndef CHECK_H
#define CHECK_H

#include "mismatch.h"

/* One run of one step: the input, and how far each buffer lies off a 256-byte boundary. */
typedef struct {
    const input_t *input;
    size_t in_offset[MAX_INPUTS]; /* in elements */
    size_t out_offset;
} case_t;

typedef enum {
    CHECK_RIGHT,
    CHECK_WRONG,
    CHECK_UNSUPPORTED /* the launcher returned cudaErrorNotSupported */
} verdict_t;

/*
 * Run one case: fresh buffers between guard zones, output and scratch poisoned, scratch of exactly
 * the size that the step asks for. Then look for: CUDA errors of the launch and of the run, an
 * output that was never written or is wrong, writes outside the output or the scratch, a changed
 * input. Each is one mismatch of log->stream. *outcome (may be NULL) gets the result.
 * An error of the run itself, after which the device is of no more use, ends the program with 1.
 */
verdict_t check_case(const case_t *test, mismatches_t *log, outcome_t *outcome);

/* Bytes of device memory that a case of this shape needs, without the scratch. */
size_t check_bytes(const problem_t *problem, shape_t shape);

#endif
