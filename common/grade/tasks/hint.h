/* SPDX-License-Identifier: MIT */
/*
 * hint.h - which hint a failed test gives. It must fit what went wrong, so what was found comes
 * first, then what the run did, and the test's own hint only where it is about that.
 *
 * A hint of tests.txt may begin with `WHEN:`. WHEN is a kind of finding, such as race, or a counter
 * of a condition: the hint is then for this finding in this test, or for this condition.
 */
#ifndef HINT_H
#define HINT_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_HINTS = 4, HINT_BYTES = 256 };

struct hint {
    char when[32]; /* empty: always */
    char text[HINT_BYTES];
};

/* Those of a test, and whether it has conditions beside a right result. */
struct hints {
    struct hint hint[MOST_HINTS];
    size_t count;
    bool conditions;
};

/* Why a run does not pass. */
enum cause {
    CAUSE_FINDING,   /* the emulator has found a race, a bad access, ... */
    CAUSE_ENDLESS,   /* no answer in time */
    CAUSE_ERROR,     /* solve, or a launch, has failed */
    CAUSE_SCRATCH,   /* it asks for too much of it */
    CAUSE_RESULT,    /* a wrong value */
    CAUSE_NOT_DONE,  /* the work is not done in kernels */
    CAUSE_CONDITION, /* the result is right, a condition of the test does not hold */
};

/*
 * The hint of the test, or a general one. `fault` is the emulator's message, for CAUSE_FINDING;
 * `condition` is the one that does not hold, for CAUSE_CONDITION.
 */
const char *hint_choose(const struct hints *hints, enum cause cause, const char *fault,
                        const char *condition);

/* Splits `WHEN: text`. False: WHEN is no word that may stand there, and `why` says what may. */
bool hint_read(const char *text, struct hint *hint, char *why, size_t bytes);

#endif
