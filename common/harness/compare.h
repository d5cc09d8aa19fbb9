/* SPDX-License-Identifier: MIT */
/*
 * compare.h - compares a whole output with what is expected. Used by all that run a step and check
 * the result; mismatch.h reports what is wrong.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "expect.h"

/* The first wrong element, or the first one if none is wrong. */
typedef struct {
    size_t index; /* of the output */
    double got;
    expect_t expect;
    bool never_written; /* it still holds the poison */
    size_t wrong;       /* the number of wrong elements */
} outcome_t;

/* The first outputs of an input, once found right: the same bits are right again. */
typedef struct {
    void *h_out; /* `n` of them, or NULL; to be freed */
    size_t n;
} known_t;

/*
 * Read d_out (device, problem_out_n() elements, poisoned with POISON_OUTPUT before the run) after
 * the work queued on `stream`, and compare every element; or h_out, if it is not NULL: a copy of
 * it. What is in `known` is not computed again, and what is found right is added; it may be NULL.
 * An output of no elements is right.
 */
outcome_t compare_output(const input_t *input, const device_t *device, const void *d_out,
                         const void *h_out, known_t *known, cudaStream_t stream);

#endif
