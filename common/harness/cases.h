/* SPDX-License-Identifier: MIT */
/*
 * cases.h - which sizes, data sets and alignments a step is checked with. Used by main.c alone.
 */
#ifndef CASES_H
#define CASES_H

#include "check.h"

/* QUICK: under a second on the emulator, for every run. FULL: all that --check promises. */
typedef enum { LEVEL_QUICK, LEVEL_FULL } level_t;

/* The outcome of the cases of one problem. */
typedef struct {
    size_t sizes, cases, failed;
    size_t too_large; /* sizes left out for lack of device memory */
    bool unsupported; /* by this device: nothing was checked */
} tally_t;

/*
 * Check one problem: with the `count` shapes given, or with the level's own list if count is 0. All
 * buffers are *offset elements off a 256-byte boundary; NULL: the cases try all offsets. `lead`
 * marks the step's first pair, which gets the largest sizes. Mistakes go to `mismatches`.
 */
tally_t cases_run(const problem_t *problem, bool lead, level_t level, const shape_t *given,
                  size_t count, const size_t *offset, uint64_t seed, mismatches_t *mismatches);

#endif
