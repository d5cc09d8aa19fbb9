/* SPDX-License-Identifier: MIT */
/*
 * collect.c - what the lanes of a warp learn from each other: the results of shuffles, votes,
 * matches and sums, once all lanes of the mask have come.
 */
#include "../state/state.h"

/* What a lane gets from a lane that does not take part: on a GPU, nobody knows. */
#define GARBAGE UINT64_MAX

/* The lane that `lane` reads in a shuffle. Past the edge of its segment a lane reads itself. */
static unsigned shuffle_source(const struct warp_call *c, unsigned lane)
{
    const unsigned width = c->width > 0 && c->width <= WARP_SIZE ? (unsigned)c->width : WARP_SIZE;
    const unsigned low = lane & ~(width - 1);
    const unsigned high = low + width - 1;
    const unsigned arg = (unsigned)c->arg;
    switch (c->op) {
    case SIMT_SHFL_UP:
        return lane >= low + arg ? lane - arg : lane;
    case SIMT_SHFL_DOWN:
        return arg <= high - lane ? lane + arg : lane;
    case SIMT_SHFL_XOR:
        return (lane ^ arg) <= high ? lane ^ arg : lane;
    default:
        return low + (arg & (width - 1));
    }
}

/* The lanes of the group with this value; of a vote, those with any value but 0. */
static uint32_t lanes_with(const struct warp *w, uint32_t group, uint64_t value)
{
    uint32_t lanes = 0;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        lanes |= (uint32_t)(w->call[lane].value == value) << lane;
    }
    return lanes;
}

static uint32_t combine(enum simt_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case SIMT_REDUCE_ADD:
        return a + b;
    case SIMT_REDUCE_AND:
        return a & b;
    case SIMT_REDUCE_OR:
        return a | b;
    case SIMT_REDUCE_XOR:
        return a ^ b;
    case SIMT_REDUCE_MIN:
        return a < b ? a : b;
    case SIMT_REDUCE_MAX:
        return a > b ? a : b;
    case SIMT_REDUCE_MIN_INT:
        return (int32_t)a < (int32_t)b ? a : b;
    default:
        return (int32_t)a > (int32_t)b ? a : b;
    }
}

static uint32_t reduce(const struct warp *w, uint32_t group)
{
    const unsigned first = (unsigned)__builtin_ctz(group);
    uint32_t sum = (uint32_t)w->call[first].value;
    for (uint32_t rest = group & (group - 1); rest != 0; rest &= rest - 1)
        sum = combine(w->call[first].op, sum, (uint32_t)w->call[__builtin_ctz(rest)].value);
    return sum;
}

/* What every lane of the group gets; not for shuffles and __match_any_sync. */
static uint64_t common_result(const struct warp *w, uint32_t group)
{
    const struct warp_call *c = &w->call[__builtin_ctz(group)];
    if (c->op == SIMT_BALLOT)
        return group & ~lanes_with(w, group, 0);
    if (c->op == SIMT_MATCH_ALL)
        return lanes_with(w, group, c->value) == group ? group : 0;
    return c->op >= SIMT_REDUCE_ADD ? reduce(w, group) : 0;
}

/* `group` is all the lanes of one mask. */
void warp_op_collect(struct warp *w, uint32_t group)
{
    const uint64_t common = common_result(w, group);
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct warp_call *c = &w->call[lane];
        c->result = common;
        if (c->op == SIMT_MATCH_ANY)
            c->result = lanes_with(w, group, c->value);
        if (c->op <= SIMT_SHFL_XOR) {
            const unsigned source = shuffle_source(c, lane);
            c->result = group >> source & 1 ? w->call[source].value : GARBAGE;
        }
    }
}
