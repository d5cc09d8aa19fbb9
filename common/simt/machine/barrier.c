/* SPDX-License-Identifier: MIT */
/*
 * barrier.c - where the lanes of a block meet: __syncthreads.
 */
#include "../count/count.h"
#include "../find/find.h"
#include "inside.h"

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
 * a violation: the barriers of a GPU would mix them up.
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
                violation(w, lane, cudaErrorLaunchFailure, w->pc[lane],
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
