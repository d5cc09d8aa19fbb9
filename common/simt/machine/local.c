/* SPDX-License-Identifier: MIT */
/*
 * local.c - local arrays that are memory on a GPU, because they are larger than all registers of a
 * thread. Their accesses are counted; no other thread can see them, so there is nothing to check.
 */
#include <string.h>

#include "../count/count.h"
#include "inside.h"

/* Forgets the arrays of calls that have ended: they are below the stack pointer, or deeper. */
static void forget(struct local_array *list, uintptr_t sp, unsigned depth)
{
    for (struct local_array *a = list; a < list + LOCAL_ARRAYS; a++)
        if (a->low < sp || a->depth > depth)
            a->bytes = 0;
}

void local_reset(struct warp *w)
{
    memset(w->local, 0, sizeof w->local);
}

void simt_local(volatile void *p, size_t bytes)
{
    struct warp *w = sim.warp;
    if (!in_kernel() || sim.quiet)
        return;
    struct local_array *list = w->local[sim.lane], *a = list;
    for (unsigned m = 0; m < sim.team_size && !sim.local_arrays; m++)
        for (unsigned k = 0; k < warps_in_block(); k++)
            local_reset(&sim.team[m].warps[k]);
    sim.local_arrays = true;
    sim.local_bytes = 0; /* from now on each access gets to lane_stop() */
    forget(list, (uintptr_t)__builtin_frame_address(0), w->depth[sim.lane]);
    while (a < list + LOCAL_ARRAYS - 1 && a->bytes != 0 && a->low != (uintptr_t)p)
        a++;
    *a = (struct local_array){(uintptr_t)p, (uint32_t)bytes, w->depth[sim.lane]};
}

void local_return(struct warp *w, unsigned lane)
{
    forget(w->local[lane], 0, w->depth[lane]);
}

/* The place in one of the lane's arrays; false if it is elsewhere in its stack. */
static bool place_in_array(struct warp *w, unsigned lane, uintptr_t *place)
{
    for (const struct local_array *a = w->local[lane]; a < w->local[lane] + LOCAL_ARRAYS; a++)
        if (w->address[lane] - a->low < a->bytes) {
            *place = w->address[lane] - a->low;
            return true;
        }
    return false;
}

/* Nothing of a stack but these arrays is memory on a GPU. */
uint32_t local_execute(struct warp *w, uint32_t group)
{
    const enum stop why = (enum stop)w->why[__builtin_ctz(group)];
    uint32_t own = 0, counted = 0;
    for (uint32_t rest = why < STOP_ACTIVE_MASK ? group : 0; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!fiber_owns(w, lane, w->address[lane]))
            continue;
        own |= 1u << lane;
        if (why <= STOP_WRITE && place_in_array(w, lane, &w->address[lane]))
            counted |= 1u << lane;
    }
    if (counted != 0)
        counters_local(w, counted, why == STOP_READ);
    return own;
}
