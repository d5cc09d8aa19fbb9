/* SPDX-License-Identifier: MIT */
/*
 * sets_place.c - single values on top of a data set: winners, NaN, infinities, patches.
 */
#include "sets.h"

#include "dtype.h"

#include <limits.h>
#include <math.h>

/* A value that wins: above (max) or below (min) all others of the set. */
static double winner(const data_t *data, const problem_t *problem, set_t set)
{
    bool max = problem->op == OP_MAX;

    if (data->type == DTYPE_I32) {
        if (set == SET_NEGATIVE && max)
            return -1; /* still below 0 */
        if (set == SET_POSITIVE && !max)
            return 1;
        return max ? INT_MAX : INT_MIN;
    }
    switch (set) {
    case SET_INTEGERS:
        return max ? SETS_LARGEST_INTEGER + 1 : -SETS_LARGEST_INTEGER - 1;
    case SET_NEGATIVE:
        return max ? -0.5 : -3;
    case SET_POSITIVE:
        return max ? 3 : 0.5;
    case SET_CANCEL:
        return (max ? 1 : -1) * (data->type == DTYPE_F16 ? 0x1p12 : 0x1p70);
    default:
        return max ? 1.5 : -1.5;
    }
}

static void put(data_t *data, size_t i, double x)
{
    if (data->tile_n > 0)
        dtype_store(data->type, data->tile, i % data->tile_n, x);
}

/* NaN and infinities where the set says. */
static void place_special(data_t *data, set_t set, rng_t *rng)
{
    size_t n = data->tile_n;
    size_t somewhere = n > 0 ? rng_below(rng, n) : 0;

    if (set == SET_NAN_FIRST)
        put(data, 0, NAN);
    if (set == SET_NAN_LAST && n > 0)
        put(data, n - 1, NAN);
    if (set == SET_NAN_MIDDLE)
        put(data, n / 2, NAN);
    if (set == SET_NAN_RANDOM)
        put(data, somewhere, NAN);
    if (set == SET_PLUS_INF || set == SET_BOTH_INF)
        put(data, somewhere, INFINITY);
    if (set == SET_MINUS_INF)
        put(data, somewhere, -(double)INFINITY);
    if (set == SET_BOTH_INF)
        put(data, somewhere + 1, -(double)INFINITY);
}

static bool is_special(set_t set)
{
    return set >= SET_NAN_FIRST && set <= SET_MINUS_ZERO;
}

void sets_place(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    bool extreme = problem->kind != KIND_MAP && problem->op != OP_SUM;

    if (is_special(set))
        place_special(data, set, rng);
    else if (extreme && data->tile_n == data->n && data->n > 0)
        put(data, rng_bits(rng) % 4 == 0 ? data->n - 1 : rng_below(rng, data->n),
            winner(data, problem, set));
}

/*
 * Patches are whole numbers of their own: they add up exactly in any set, and 11 of them stay far
 * inside the budget of SET_INTEGERS. For max and min the last patch, the last element, wins.
 */
void sets_patch(data_t *data, const problem_t *problem, set_t set, rng_t *rng)
{
    bool extreme = problem->kind != KIND_MAP && problem->op != OP_SUM;
    double scale = set == SET_NEGATIVE ? -1 : 1;

    for (size_t p = 0; p < data->patch_count; p++) {
        double x = scale * (double)(p + 2);
        if (extreme || set == SET_UNIFORM || set >= SET_SPREAD)
            x = dtype_load(data->type, data->tile, rng_below(rng, data->tile_n));
        data->patches[p].value = x;
    }
    if (extreme && !is_special(set)) /* the winner is unique: a tile's own would be everywhere */
        data->patches[rng_bits(rng) % 2 ? data->patch_count - 1 : 0].value =
            winner(data, problem, set);
}
