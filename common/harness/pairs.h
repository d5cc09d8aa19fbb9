/* SPDX-License-Identifier: MIT */
/*
 * pairs.h - which (type, operator) pairs of a step are meant by -t and -o.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include "options.h"

/*
 * Whether every pair that -t and -o name together is offered by the step of `lead`, its first
 * pair. Else false, with one line in message (room for OPTIONS_MESSAGE bytes).
 */
bool pairs_offered(const options_t *options, const problem_t *lead, char *message);

/* Whether the step offers the type with any of the operators whose bits are set in `ops`. */
bool pairs_offer_type(const problem_t *lead, dtype_t type, unsigned ops);

/*
 * Whether `pair`, offered or not, is asked for. What -t or -o leaves open means all where
 * `everything` is true, else the first one that fits what is given.
 */
bool pairs_asked(const options_t *options, const problem_t *pair, bool everything);

#endif
