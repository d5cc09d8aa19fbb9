/* SPDX-License-Identifier: MIT */
/*
 * calls.c - what the device headers call (include/simt/abi.h). A lane requests an operation and
 * stops; when it resumes, the operation is done.
 */
#include "../find/find.h"
#include <time.h>

#include "inside.h"

#define ACCESS(name, why)                                                                          \
    void name(const volatile void *p, unsigned bytes)                                              \
    {                                                                                              \
        if (!is_local(p))                                                                          \
            lane_stop(why, (uintptr_t)p, bytes, CALLER);                                           \
    }
ACCESS(simt_atomic, STOP_ATOMIC)
ACCESS(simt_block_atomic, STOP_BLOCK_ATOMIC)
ACCESS(simt_strong_load, STOP_STRONG_READ)
ACCESS(simt_strong_store, STOP_STRONG_WRITE)

void simt_fence(enum simt_fence_for whom)
{
    if (!in_kernel())
        return;
    order_fence(sim.warp, whom != SIMT_FENCE_BLOCK);
    if (whom == SIMT_FENCE_SYSTEM)
        queued_fence();
}

void simt_fence_proxy(void)
{
    if (in_kernel())
        order_fence_proxy(sim.warp);
}

void simt_no_start(const char *name, unsigned line)
{
    if (in_kernel() && !sim.quiet)
        finding_no_start(name, line, CALLER);
}

/* The clock counts steps, and its own calls, so that it always advances. Loops that wait for some
 * milliseconds call nothing else: for them it advances faster and faster. */
long long simt_clock(void)
{
    static long long calls, pace = 1;
    static uint64_t last;
    if (!in_kernel()) /* a function for both sides */
        return (long long)clock();
    pace = steps_made() != last ? 1 : pace < 1024 ? 2 * pace : pace;
    last = steps_made();
    calls += pace;
    return calls + (long long)last;
}

/* Records what the running lane calls; NULL if no kernel runs. */
static struct warp_call *call_begin(enum simt_op op, unsigned mask, uint64_t value, int line)
{
    struct warp *w = sim.warp;
    if (!in_kernel())
        return NULL;
    struct warp_call *c = &w->call[sim.lane];
    c->op = op;
    c->mask = mask;
    c->value = value;
    c->line = line;
    c->bytes = c->source = 0; /* only a shuffle has them */
    w->calling |= 1u << sim.lane;
    return c;
}

void simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, int line)
{
    if (call_begin(op, mask, value, line))
        lane_stop(STOP_WARP_OP, 0, 0, CALLER);
}

void simt_shuffle(enum simt_op op, unsigned mask, uint64_t value, unsigned bytes, int arg,
                  int width, int line)
{
    struct warp_call *c = call_begin(op, mask, value, line);
    if (!c)
        return;
    if (width < 1 || width > WARP_SIZE || (width & (width - 1))) {
        violation(sim.warp, sim.lane, cudaErrorLaunchFailure, CALLER,
                  "shuffle of width %d\n    it is 1, 2, 4, 8, 16 or 32", width);
        for (;;)
            fiber_leave();
    }
    c->bytes = bytes;
    c->arg = arg;
    c->width = width;
    lane_stop(STOP_WARP_OP, 0, 0, CALLER);
}

uint64_t simt_result(void)
{
    return in_kernel() ? sim.warp->call[sim.lane].result : 0;
}

unsigned simt_active_mask(void)
{
    if (!in_kernel())
        return 0;
    lane_stop(STOP_ACTIVE_MASK, 0, 0, CALLER);
    return (unsigned)sim.warp->call[sim.lane].result;
}
