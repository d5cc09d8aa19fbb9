/* SPDX-License-Identifier: MIT */
/*
 * compare.h - a whole output against what is expected. Used by whatever runs a step and looks at
 * the result; mismatch.h tells what is wrong.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "expect.h"

/* The first wrong element, or where none is wrong the first one. */
typedef struct {
    size_t index; /* of the output */
    double got;
    expect_t expect;
    bool never_written; /* it still holds the poison */
    size_t wrong;       /* elements that are wrong, in all */
} outcome_t;

/* The first outputs of an input, once they were found right: the same bits are right again. */
typedef struct {
    void *h_out; /* `n` of them, or NULL; to be freed */
    size_t n;
} known_t;

/*
 * Read d_out (device, problem_out_n() elements, poisoned with POISON_OUTPUT before the run) after
 * the work that is queued on `stream`, and compare every element; or h_out, where that is a copy of
 * it and not NULL. What is in `known` is not worked out again, and what is found right goes there;
 * it may be NULL. An output of no elements is right.
 */
outcome_t compare_output(const input_t *input, const device_t *device, const void *d_out,
                         const void *h_out, known_t *known, cudaStream_t stream);

#endif
