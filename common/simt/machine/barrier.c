/* SPDX-License-Identifier: MIT */
/*
 * barrier.c - __syncthreads: where the lanes of a block synchronize. All threads that have not left
 * the kernel by `return;` must reach the same barrier: the same call, through the same calls. A GPU
 * counts every arrival, so on it a wrong program may seem to work, or hang.
 */
#include <stdio.h>
#include <string.h>

#include "../count/count.h"
#include "../find/find.h"
#include "inside.h"

void simt_barrier(int vote, int line)
{
    struct warp *w = sim.warp;
    if (!w)
        return;
    const unsigned lane = sim.lane;
    w->barrier_line[lane] = line;
    w->pc[lane] = CALLER;
    w->ahead &= ~(1u << lane);
    w->waiting |= 1u << lane;
    sim.team[sim.running].votes += vote;
    if (!step_spend(w, lane))
        fiber_leave();
    lane_yield();
}

int simt_votes(void)
{
    return in_kernel() ? sim.team[sim.running].vote_result : 0;
}

/* ---- which lanes have arrived ---- */

static struct thread thread_of(const struct warp *w, uint32_t lanes)
{
    return (struct thread){w, __builtin_ctz(lanes)};
}

/* The lanes of a warp that wait where `at` does. Two calls on one line are two barriers. */
static uint32_t waiting_with(const struct warp *w, struct thread at)
{
    uint32_t same = 0;
    for (uint32_t rest = w->waiting; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        same |= (uint32_t)(w->pc[i] == at.w->pc[at.lane] && w->path[i] == at.w->path[at.lane]) << i;
    }
    return same;
}

/* Of the waiting lanes, one that is furthest behind. w is NULL if none waits. */
static struct thread first_waiting(const struct block *b, unsigned warps)
{
    struct thread first = {NULL, 0};
    for (unsigned k = 0; k < warps; k++) {
        const struct warp *w = &b->warps[k];
        uint32_t rest = w->waiting & ~(first.w ? waiting_with(w, first) : 0);
        for (; rest != 0; rest &= rest - 1) {
            const int i = __builtin_ctz(rest);
            if (!first.w || is_behind(w, i, first.w, first.lane))
                first = (struct thread){w, i};
        }
    }
    return first;
}

/* ---- which lanes have not ---- */

static const char *place_of(struct thread s, char *out, size_t bytes)
{
    return places_text(s.w->pc[s.lane], out, bytes);
}

/* Lanes that reached the end of the kernel, past the barrier where `here` waits. */
static void violation_ended(struct thread here, unsigned waiting, struct thread gone,
                            unsigned count)
{
    char who[64], place[512] = "";
    threads_text(who, sizeof who, gone, count);
    if (gone.w->pc[gone.lane])
        place_of(gone, place, sizeof place);
    violation(here.w, (unsigned)here.lane, cudaErrorLaunchFailure, here.w->pc[here.lane],
              "barrier not reached by all threads\n"
              "    %u threads wait there\n"
              "    %s passed it and left the kernel%s%s\n"
              "    move it where all threads reach it: outside the if or the loop",
              waiting, who, place[0] ? "\n    last seen at " : "", place);
}

/* Where the call paths of two lanes on the same line diverge; false if they do not. */
static bool calls_part(struct thread a, struct thread b, uintptr_t *at_a, uintptr_t *at_b)
{
    const int depth =
        a.w->depth[a.lane] < b.w->depth[b.lane] ? a.w->depth[a.lane] : b.w->depth[b.lane];
    for (int d = 0; d < depth; d++) {
        *at_a = a.w->frame[d][a.lane].call_pc;
        *at_b = b.w->frame[d][b.lane].call_pc;
        if (*at_a != *at_b)
            return true;
    }
    return false;
}

static void violation_elsewhere(struct thread here, unsigned waiting, struct thread other,
                                unsigned count)
{
    char who[64], place[512], other_place[512], from[512], other_from[512], calls[1100] = "";
    uintptr_t at_here, at_other;
    threads_text(who, sizeof who, other, count);
    place_of(here, place, sizeof place);
    place_of(other, other_place, sizeof other_place);
    const bool one_line = strcmp(place, other_place) == 0;
    if (calls_part(here, other, &at_here, &at_other))
        snprintf(calls, sizeof calls, "\n    they were called at %s and at %s",
                 places_text(at_here, from, sizeof from),
                 places_text(at_other, other_from, sizeof other_from));
    violation(here.w, (unsigned)here.lane, cudaErrorLaunchFailure, here.w->pc[here.lane],
              "barrier not reached by all threads\n"
              "    %u threads wait there\n"
              "    %s passed it and wait at another one %s%s%s\n"
              "    all threads must reach the same call of it",
              waiting, who, one_line ? "on that line" : "at ", one_line ? "" : other_place, calls);
}

/* Has every thread reached the barrier of `here`, or returned? If not, it is a violation. */
static bool all_have_come(const struct block *b, unsigned warps, struct thread here)
{
    struct thread other = {NULL, 0}, gone = {NULL, 0};
    unsigned waiting = 0, others = 0, ended = 0;
    for (unsigned k = 0; k < warps; k++) {
        const struct warp *w = &b->warps[k];
        const uint32_t same = waiting_with(w, here), rest = w->waiting & ~same;
        const uint32_t past = lanes_past(w, here);
        waiting += (unsigned)__builtin_popcount(same);
        others += (unsigned)__builtin_popcount(rest);
        ended += (unsigned)__builtin_popcount(past);
        if (rest && !other.w)
            other = thread_of(w, rest);
        if (past && !gone.w)
            gone = thread_of(w, past);
    }
    if (other.w)
        violation_elsewhere(here, waiting, other, others);
    else if (gone.w)
        violation_ended(here, waiting, gone, ended);
    return !other.w && !gone.w;
}

/* Are there lanes that can still run, or that wait for something other than this barrier? */
static bool some_may_come(const struct block *b, unsigned warps)
{
    uint32_t lanes = 0;
    for (unsigned k = 0; k < warps; k++)
        lanes |= b->warps[k].ready | b->warps[k].parked;
    return lanes != 0;
}

/*
 * Called when no lane of the block can continue. Opens the barrier if all threads that have not
 * exited are there. Returns false if no thread is left, or if some have missed it.
 */
bool barrier_release(struct block *b, unsigned warps)
{
    const struct thread first = first_waiting(b, warps);
    if (!first.w || some_may_come(b, warps) || !all_have_come(b, warps, first))
        return false;
    const bool waited = some_waited(sim.running, 1);
    for (unsigned k = 0; k < warps; k++) {
        struct warp *w = &b->warps[k];
        counters_barrier(w, b->votes >= SIMT_COUNTING);
        w->resume = w->waiting;
        w->waiting = 0;
        w->waited |= waited ? FULL_MASK : 0;
    }
    b->vote_result = b->votes;
    b->votes = 0;
    order_barrier();
    return true;
}
