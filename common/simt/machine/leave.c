/* SPDX-License-Identifier: MIT */
/*
 * leave.c - how a lane has left the kernel. Lanes at a barrier do not wait for a lane that returned
 * before it; but one that reached the end of the kernel, or returned after the barrier, has skipped
 * it. simtcc marks the returns: translate/returns.c.
 */
#include "inside.h"

static unsigned kernel_depth; /* the call depth of a lane in the kernel itself */

void simt_passed(void)
{
    if (!in_kernel())
        return;
    sim.warp->passed[sim.lane] = CALLER;
    sim.warp->returned_at[sim.lane] = UINTPTR_MAX;
    kernel_depth = sim.warp->depth[sim.lane];
}

void simt_return(void)
{
    if (in_kernel())
        sim.warp->returned_at[sim.lane] = sim.warp->pc[sim.lane];
}

/* A lane that has done nothing since a `return;` has left the kernel there, any other one at the
 * kernel's end. */
void lane_left(struct warp *w, unsigned lane)
{
    if (w->returned_at[lane] != w->pc[lane])
        w->ended |= 1u << lane;
}

/* The lanes of a warp that have left the kernel after skipping this place. */
uint32_t lanes_past(const struct warp *w, struct thread at)
{
    const bool in_call = at.w->depth[at.lane] > kernel_depth;
    const uintptr_t place =
        in_call ? at.w->frame[kernel_depth][at.lane].call_pc : at.w->pc[at.lane];
    uint32_t past = w->ended;
    for (uint32_t rest = w->exists & ~w->live & ~w->ended; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        past |= (uint32_t)(w->passed[i] > place) << i;
    }
    return past;
}
