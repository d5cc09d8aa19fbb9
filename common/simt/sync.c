/* SPDX-License-Identifier: MIT */
/*
 * sync.c - where lanes meet: the block's barrier, shuffles, votes, __syncwarp.
 */
#include "machine.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* What a lane gets from a lane that does not take part: on a GPU, nobody knows. */
#define GARBAGE UINT64_MAX

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
                           "barrier not reached by all threads: this one waits at line %d, "
                           "another one at line %d",
                           w->barrier_line[lane], line);
                return false;
            }
        }
        counters[COUNT_BARRIER] += w->waiting != 0;
        w->resume = w->waiting;
        w->waiting = 0;
    }
    sim.vote_result = sim.votes;
    sim.votes = 0;
    return any;
}

/* ---- operations of a warp ---- */

uint64_t simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, int arg, int width, int line)
{
    struct warp *w = sim.warp;
    if (!w)
        return value;
    const unsigned lane = sim.lane;
    w->call[lane] = (struct warp_call){
        .op = op, .mask = mask, .line = line, .arg = arg, .width = width, .value = value};
    w->calling |= 1u << lane;
    lane_stop(STOP_WARP_OP, 0, 0, CALLER);
    return w->call[lane].result;
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

static void exchange(struct warp *w, uint32_t group)
{
    uint64_t ballot = 0;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        ballot |= (uint64_t)(w->call[lane].value != 0) << lane;
    }
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct warp_call *c = &w->call[lane];
        if (c->op == SIMT_BALLOT) {
            c->result = ballot;
        } else if (c->op != SIMT_SYNCWARP) {
            const unsigned source = shuffle_source(c, lane);
            c->result = group >> source & 1 ? w->call[source].value : GARBAGE;
        }
    }
}

/* Lanes that the mask names and that will not come: the lane would wait for ever. */
static void fault_absent(struct warp *w, unsigned lane, uint32_t absent)
{
    static const char *const names[] = {"shuffle", "shuffle", "shuffle",
                                        "shuffle", "vote",    "__syncwarp"};
    const struct warp_call *c = &w->call[lane];
    const unsigned other = (unsigned)__builtin_ctz(absent);
    const char *where = "waits elsewhere";
    if (!(w->live >> other & 1))
        where = "has exited";
    else if (w->waiting >> other & 1)
        where = "waits at __syncthreads";
    fault_lane(w, lane, cudaErrorLaunchFailure, w->pc[lane],
               "%s mask names absent lanes: mask 0x%08x, absent 0x%08x, lane %u %s", names[c->op],
               c->mask, absent, other, where);
}

static uint32_t lanes_with_call(const struct warp *w, unsigned lane)
{
    uint32_t here = 0;
    for (uint32_t rest = w->calling; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        here |= (uint32_t)same_call(&w->call[i], &w->call[lane]) << i;
    }
    return here;
}

/*
 * Tries to complete the operation that `lane` has stopped for. All lanes that its mask names must
 * have stopped for the same one; if some have not, the lane stays and waits for them.
 */
bool warp_op_execute(struct warp *w, unsigned lane)
{
    const struct warp_call *c = &w->call[lane];
    const uint32_t needed = c->mask & w->exists;
    if (!(c->mask >> lane & 1)) {
        fault_lane(w, lane, cudaErrorLaunchFailure, w->pc[lane],
                   "lane %u is not in its own mask 0x%08x", lane, c->mask);
        return false;
    }
    const uint32_t here = lanes_with_call(w, lane);
    if ((here & needed) != needed) {
        w->ready &= ~(1u << lane);
        return false;
    }
    counters[COUNT_SHUFFLE] += c->op <= SIMT_SHFL_XOR;
    exchange(w, needed);
    w->calling &= ~needed;
    warp_release(w, needed);
    return true;
}

/* No lane of the warp can go on, and one waits in a warp operation: it waits for ever. */
void warp_op_deadlock(struct warp *w)
{
    const unsigned lane = (unsigned)__builtin_ctz(w->calling);
    const uint32_t needed = w->call[lane].mask & w->exists;
    fault_absent(w, lane, needed & ~lanes_with_call(w, lane));
}
