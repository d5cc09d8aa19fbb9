/* SPDX-License-Identifier: MIT */
/*
 * sync.c - where lanes meet: the block's barrier, shuffles, votes, __syncwarp.
 */
#include "../state/state.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* ---- __syncthreads ---- */

int simt_barrier(int vote, int line)
{
    struct warp *w = sim.warp;
    if (!w)
        return 0;
    const unsigned lane = sim.lane;
    w->barrier_line[lane] = line;
    w->pc[lane] = CALLER;
    w->waiting |= 1u << lane;
    sim.votes += vote;
    if (!step_spend(w, lane))
        fiber_leave();
    lane_yield();
    return sim.vote_result;
}

/*
 * Called when no lane of the block can go on. Opens the barrier if all threads that have not
 * exited are there, and returns false if no thread is left. Threads that wait at another line are
 * a fault: the barriers of a GPU would mix them up.
 */
bool barrier_release(unsigned warps)
{
    int line = 0;
    bool any = false;
    for (unsigned k = 0; k < warps; k++) {
        struct warp *w = &warps_of_block[k];
        for (uint32_t rest = w->waiting; rest != 0; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            if (!any)
                line = w->barrier_line[lane];
            any = true;
            if (w->barrier_line[lane] != line) {
                fault_lane(w, lane, cudaErrorLaunchFailure, w->pc[lane],
                           "barrier not reached by all threads\n    this one waits at line %d, "
                           "another one at line %d",
                           w->barrier_line[lane], line);
                return false;
            }
        }
        counters_barrier(w);
        w->resume = w->waiting;
        w->waiting = 0;
    }
    sim.vote_result = sim.votes;
    sim.votes = 0;
    order_barrier();
    return any;
}

/* ---- operations of a warp ---- */

static uint64_t warp_op(struct warp_call call, uintptr_t pc)
{
    struct warp *w = sim.warp;
    if (!w)
        return call.value;
    const unsigned lane = sim.lane;
    w->call[lane] = call;
    w->calling |= 1u << lane;
    lane_stop(STOP_WARP_OP, 0, 0, pc);
    return w->call[lane].result;
}

uint64_t simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, int line)
{
    return warp_op((struct warp_call){.op = op, .mask = mask, .line = line, .value = value},
                   CALLER);
}

uint64_t simt_shuffle(enum simt_op op, unsigned mask, uint64_t value, unsigned bytes, int arg,
                      int width, int line)
{
    return warp_op((struct warp_call){.op = op,
                                      .bytes = bytes,
                                      .mask = mask,
                                      .line = line,
                                      .arg = arg,
                                      .width = width,
                                      .value = value},
                   CALLER);
}

unsigned simt_active_mask(void)
{
    if (!sim.warp)
        return 0;
    lane_stop(STOP_ACTIVE_MASK, 0, 0, CALLER);
    return (unsigned)sim.warp->call[sim.lane].result;
}

/* __syncwarp may be reached at different lines; any other operation is one place of the program. */
static bool same_call(const struct warp_call *a, const struct warp_call *b)
{
    return a->op == b->op && a->mask == b->mask && (a->line == b->line || a->op == SIMT_SYNCWARP);
}

static const char *op_name(enum simt_op op)
{
    return op <= SIMT_SHFL_XOR    ? "shuffle"
           : op == SIMT_BALLOT    ? "vote"
           : op == SIMT_SYNCWARP  ? "__syncwarp"
           : op <= SIMT_MATCH_ALL ? "match"
                                  : "reduction";
}

/* The lanes that this one's mask names, and that have not come to the same operation. */
static uint32_t lanes_missing(const struct warp *w, unsigned lane)
{
    uint32_t missing = w->call[lane].mask & w->exists;
    for (uint32_t rest = w->calling; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        if (same_call(&w->call[i], &w->call[lane]))
            missing &= ~(1u << i);
    }
    return missing;
}

/* The lanes that stand at the same operation as this one, whatever their masks are. */
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

/*
 * Tries to complete the operation that `lane` has stopped for. All lanes that its mask names must
 * have stopped for the same one; if some have not, the lane stays and waits for them. Tiles of a
 * warp that stand at one operation, each with a mask of its own, are one instruction.
 */
bool warp_op_execute(struct warp *w, unsigned lane)
{
    const unsigned mask = w->call[lane].mask;
    if (!(mask >> lane & 1)) {
        fault_lane(w, lane, cudaErrorLaunchFailure, w->pc[lane],
                   "lane %u is not in its own mask 0x%08x", lane, mask);
        return false;
    }
    if (lanes_missing(w, lane) != 0) {
        w->ready &= ~(1u << lane);
        return false;
    }
    uint32_t group = 0;
    for (uint32_t rest = lanes_beside(w, lane); rest != 0; rest &= ~group & (rest - 1)) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        const uint32_t lanes = w->call[i].mask & w->exists;
        if ((lanes >> i & 1) == 0 || lanes_missing(w, i) != 0)
            continue;
        order_warp(w, lanes);
        warp_op_collect(w, lanes);
        group |= lanes;
    }
    counters_warp_op(w, group);
    w->calling &= ~group;
    warp_release(w, group);
    return true;
}

/* No lane of the warp can go on, and one waits in a warp operation: it waits for ever. */
void warp_op_deadlock(struct warp *w)
{
    const unsigned lane = (unsigned)__builtin_ctz(w->calling);
    const struct warp_call *c = &w->call[lane];
    const uint32_t absent = lanes_missing(w, lane);
    const unsigned other = (unsigned)__builtin_ctz(absent);
    const char *where = "waits elsewhere";
    if (!(w->live >> other & 1))
        where = "has exited";
    else if (w->waiting >> other & 1)
        where = "waits at __syncthreads";
    fault_lane(w, lane, cudaErrorLaunchFailure, w->pc[lane],
               "%s mask names absent lanes\n    mask 0x%08x, absent 0x%08x, lane %u %s",
               op_name(c->op), c->mask, absent, other, where);
}
