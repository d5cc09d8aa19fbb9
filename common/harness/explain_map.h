/* SPDX-License-Identifier: MIT */
/*
 * explain_map.h - the same as explain.h for steps whose output has an element for each of the
 * input: elementwise ones, and softmax. Used by explain.c only.
 */
#ifndef EXPLAIN_MAP_H
#define EXPLAIN_MAP_H

#include "mismatch.h"
#include "probe.h"

void explain_map(mismatches_t *log, const case_t *test, const outcome_t *outcome);

#endif
