/* SPDX-License-Identifier: MIT */
/*
 * explain.h - why a result is wrong, in words: "the last 3 elements are missing". A wrong step runs
 * again on chosen elements: marks in one part of the input and nothing elsewhere show whether that
 * part is counted, and bisection finds the place. Used by check.c only.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "mismatch.h"
#include "probe.h"

/*
 * Report the cause of a wrong outcome of a case, if one is found: a line on log->stream, `wrong:
 * cause: ...`. Takes up to some hundred short runs of the step.
 */
void explain(mismatches_t *log, const case_t *test, const outcome_t *outcome);

#endif
