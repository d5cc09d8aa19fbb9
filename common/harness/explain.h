/* SPDX-License-Identifier: MIT */
/*
 * explain.h - why a result is wrong, in words: "the last 3 elements are missing". A wrong step runs
 * again on elements that tell: marks in one part of the input and nothing elsewhere show whether
 * that part is counted, and halving the part finds the place. Used by check.c alone.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "mismatch.h"
#include "probe.h"

/*
 * Tell the cause of a wrong outcome of a case, where one is found: a
 * line of log->stream, `wrong: cause: ...`. Costs up to some hundred short runs of the step.
 */
void explain(mismatches_t *log, const case_t *test, const outcome_t *outcome);

#endif
