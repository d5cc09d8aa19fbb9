/* SPDX-License-Identifier: MIT */
/*
 * sets.h - the values of the data sets. Used by data.c alone.
 */
#ifndef SETS_H
#define SETS_H

#include "data.h"
#include "rng.h"

/* The magnitude of SET_INTEGERS: exact in f16 too, with room for a winner above it. */
enum { SETS_LARGEST_INTEGER = 1000 };

/* Fill data->tile[0 .. tile_n) with values of `set`. */
void sets_fill(data_t *data, const problem_t *problem, set_t set, rng_t *rng);

/*
 * Place the single values of `set` in a filled tile: NaN and infinities; for max and min a winner,
 * so that a kernel which drops a single element is found out. Its place is random, at times the
 * last.
 */
void sets_place(data_t *data, const problem_t *problem, set_t set, rng_t *rng);

/* Give the patches values that no other element of the set has; the winner is among them. */
void sets_patch(data_t *data, const problem_t *problem, set_t set, rng_t *rng);

/*
 * The largest sum of |x| that SET_INTEGERS may have, so that every partial sum of every order is
 * exact: 2^24 (f32, and f16, which accumulates in f32), 2^53 (f64).
 */
double sets_budget(dtype_t type);

#endif
