/* SPDX-License-Identifier: MIT */
/*
 * explain_reduce.h - the same as explain.h for reductions: of a vector, of rows, of columns. Used
 * by explain.c only.
 *
 * Marks in one part of the input and nothing elsewhere show whether that part is counted, and how
 * often; bisection finds where it begins and ends.
 */
#ifndef EXPLAIN_REDUCE_H
#define EXPLAIN_REDUCE_H

#include "mismatch.h"
#include "probe.h"

void explain_reduce(mismatches_t *log, const case_t *test, const outcome_t *outcome);

#endif
