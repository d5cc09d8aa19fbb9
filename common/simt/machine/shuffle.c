/* SPDX-License-Identifier: MIT */
/*
 * shuffle.c - operations of a warp: shuffles, votes, matches, sums, __syncwarp. One is complete
 * once all lanes of its mask have arrived; then each gets its result.
 */
#include <stdio.h>

#include "../count/count.h"
#include "../find/find.h"
#include "inside.h"

/* ---- the results ---- */

/* What a lane gets from a lane that does not take part: undefined on a GPU. From one lane it is
 * large, from the next one small, so that neither a sum nor min or max hides it. */
static uint64_t garbage(unsigned lane)
{
    return lane % 2 ? 0x7f7f7f7f7f7f7f7f : 0xfefefefefefefefe;
}

/* The lane that `lane` reads in a shuffle. Past the edge of its segment a lane reads itself. */
static unsigned shuffle_source(const struct warp_call *c, unsigned lane)
{
    const unsigned width = (unsigned)c->width;
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

/* The lanes of the group with this value; for a vote, those whose value is not 0. */
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
static void give_results(struct warp *w, uint32_t group)
{
    const uint64_t common = common_result(w, group);
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct warp_call *c = &w->call[lane];
        c->result = common;
        if (c->op == SIMT_MATCH_ANY)
            c->result = lanes_with(w, group, c->value);
        if (c->op <= SIMT_SHFL_XOR) {
            c->source = shuffle_source(c, lane);
            c->result = group >> c->source & 1 ? w->call[c->source].value : garbage(c->source);
        }
    }
}

/* ---- which lanes have arrived ---- */

/* The same operation with the same mask may be called at different places, such as the arms of an
 * if. */
static bool same_call(const struct warp_call *a, const struct warp_call *b)
{
    return a->op == b->op && a->mask == b->mask;
}

static const char *op_name(enum simt_op op)
{
    return op <= SIMT_SHFL_XOR    ? "shuffle"
           : op == SIMT_BALLOT    ? "vote"
           : op == SIMT_SYNCWARP  ? "__syncwarp"
           : op <= SIMT_MATCH_ALL ? "match"
                                  : "reduction";
}

/* The lanes in this one's mask that have not reached the same operation. A lane that has returned
 * is not waited for. */
static uint32_t lanes_missing(const struct warp *w, unsigned lane)
{
    uint32_t missing =
        w->call[lane].mask & (w->live | lanes_past(w, (struct thread){w, (int)lane}));
    for (uint32_t rest = w->calling; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        if (same_call(&w->call[i], &w->call[lane]))
            missing &= ~(1u << i);
    }
    return missing;
}

/* The lanes at the same operation as this one, whatever their masks are. */
static uint32_t lanes_beside(const struct warp *w, unsigned lane)
{
    uint32_t beside = 0;
    for (uint32_t rest = w->calling; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        const bool same = w->call[i].op == w->call[lane].op &&
                          w->call[i].line == w->call[lane].line && same_place(w, i, (int)lane);
        beside |= (uint32_t)same << i;
    }
    return beside;
}

/* "lane 4 has exited"; the last warp of a block may have fewer than 32 lanes. */
static const char *absence(const struct warp *w, unsigned lane, char *out, size_t bytes)
{
    if (w->exists >> lane & 1)
        snprintf(out, bytes, "lane %u has exited", lane);
    else
        snprintf(out, bytes, "the block has %u threads", volume(sim.block));
    return out;
}

/* A lane gets nothing from one that has returned or never existed; to read from it is a
 * violation. */
static bool asks_the_living(const struct warp *w, uint32_t lanes)
{
    char why[64];
    if (w->live == FULL_MASK)
        return true;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct warp_call *c = &w->call[lane];
        const uint32_t absent = c->mask & ~w->live;
        if (c->op > SIMT_SHFL_XOR || !(absent >> shuffle_source(c, lane) & 1))
            continue;
        violation(w, lane, cudaErrorLaunchFailure, w->pc[lane],
                  "shuffle mask names absent lanes\n    mask 0x%08x, absent 0x%08x, %s\n"
                  "    lane %u reads from lane %u: that value is undefined",
                  c->mask, absent, absence(w, (unsigned)__builtin_ctz(absent), why, sizeof why),
                  lane, shuffle_source(c, lane));
        return false;
    }
    return true;
}

/*
 * Tries to complete the operation that `lane` has stopped for. All lanes of its mask must have
 * stopped for the same one; if some have not, the lane waits for them. Tiles of a warp at the same
 * operation, each with its own mask, are one instruction. Returns the lanes that can continue: none
 * while some are missing, or after a violation.
 */
uint32_t warp_op_execute(struct warp *w, unsigned lane)
{
    const unsigned mask = w->call[lane].mask;
    if (!(mask >> lane & 1)) {
        violation(w, lane, cudaErrorLaunchFailure, w->pc[lane],
                  "lane %u is not in its own mask 0x%08x", lane, mask);
        return 0;
    }
    if (lanes_missing(w, lane) != 0) {
        w->ready &= ~(1u << lane);
        return 0;
    }
    uint32_t group = 0;
    for (uint32_t rest = lanes_beside(w, lane); rest != 0; rest &= ~group & (rest - 1)) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        const uint32_t lanes = w->call[i].mask & w->live;
        if ((lanes >> i & 1) == 0 || (i != lane && lanes_missing(w, i) != 0))
            continue;
        if (!asks_the_living(w, lanes))
            return 0;
        if (w->call[i].op == SIMT_SYNCWARP)
            order_warp(w, lanes);
        else
            order_step(w);
        if (w->waited & lanes)
            w->waited |= lanes;
        give_results(w, lanes);
        group |= lanes;
    }
    counters_warp_op(w, group);
    w->calling &= ~group;
    return group;
}

/* Where the lane is that others wait for. */
static void whereabouts(const struct warp *w, unsigned lane, char *out, size_t bytes)
{
    const uint32_t bit = 1u << lane;
    const struct warp_call *c = &w->call[lane];
    char place[512];
    places_text(w->pc[lane], place, sizeof place);
    if (!(w->live & bit))
        snprintf(out, bytes, "has exited without it");
    else if (w->waiting & bit)
        snprintf(out, bytes, "waits at __syncthreads at %s", place);
    else
        snprintf(out, bytes, "waits in %s of mask 0x%08x at %s", warp_call_name(c->op), c->mask,
                 place);
}

/*
 * No lane of the warp can run on, and some wait in warp operations. Returns the lanes of an
 * operation that is complete because the missing lanes have exited meanwhile. Otherwise one waits
 * forever.
 */
uint32_t warp_op_last_call(struct warp *w)
{
    for (uint32_t rest = w->calling; rest != 0; rest &= rest - 1)
        if (lanes_missing(w, (unsigned)__builtin_ctz(rest)) == 0)
            return warp_op_execute(w, (unsigned)__builtin_ctz(rest));
    const unsigned lane = (unsigned)__builtin_ctz(w->calling);
    const struct warp_call *c = &w->call[lane];
    const uint32_t absent = lanes_missing(w, lane);
    const unsigned other = (unsigned)__builtin_ctz(absent);
    char where[600];
    whereabouts(w, other, where, sizeof where);
    violation(w, lane, cudaErrorLaunchFailure, w->pc[lane],
              "%s mask names absent lanes\n    mask 0x%08x, absent 0x%08x, lane %u %s\n"
              "    all lanes of a mask must take part: name those that do, or move the call",
              op_name(c->op), c->mask, absent, other, where);
    return 0;
}
