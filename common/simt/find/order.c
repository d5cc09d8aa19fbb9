/* SPDX-License-Identifier: MIT */
/*
 * order.c - is one access before another in every run, or only in this one? What orders them:
 *
 *   the same thread        by the program
 *   __syncthreads          all threads of a block: counted as `epoch`
 *   __syncwarp(mask)       the lanes of the mask, by the clock of their warp. Shuffles and votes
 *                          count as well. (CUDA promises it for __syncwarp only.)
 *   fence, then an atomic  see handover.c
 */
#include <string.h>

#include "inside.h"

struct warp_order {
    uint32_t clock;
    uint32_t all_seen;                   /* every lane has seen what was before this clock */
    bool partial;                        /* `seen` is in use */
    uint32_t seen[WARP_SIZE][WARP_SIZE]; /* [a][b]: what a has seen of b */
};

/* A code address in 32 bits: its distance from the code of this file. */
#define CODE ((uintptr_t)order_launch)

uint32_t first_block;

static uint32_t block, epoch;
static struct warp_order orders[MAX_WARPS];

void order_launch(void)
{
    first_block = block + 1;
    handover_launch();
}

void order_block(void)
{
    block++;
    epoch = 1;
    handover_block();
    for (int k = 0; k < MAX_WARPS; k++) {
        struct warp_order *o = &orders[k];
        o->clock = 1;
        o->all_seen = 0;
        o->partial = false;
    }
}

void order_barrier(void)
{
    epoch++;
}

/* The lanes of the mask have met: each now knows what any of them knew. */
void order_warp(const struct warp *w, uint32_t mask)
{
    struct warp_order *o = &orders[w->first / WARP_SIZE];
    const uint32_t clock = ++o->clock;
    if (mask == w->exists) {
        o->all_seen = clock;
        return;
    }
    if (!o->partial)
        memset(o->seen, 0, sizeof o->seen);
    o->partial = true;
    uint32_t known[WARP_SIZE] = {0};
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        for (int i = 0, lane = __builtin_ctz(rest); i < WARP_SIZE; i++)
            known[i] = known[i] > o->seen[lane][i] ? known[i] : o->seen[lane][i];
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        known[__builtin_ctz(rest)] = clock;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        memcpy(o->seen[__builtin_ctz(rest)], known, sizeof known);
}

/* What all lanes of one memory instruction have in common. */
struct stamp order_stamp(const struct warp *w, uintptr_t pc, bool atomic)
{
    struct warp_order *o = &orders[w->first / WARP_SIZE];
    return (struct stamp){.block = block,
                          .epoch = epoch,
                          .clock = ++o->clock,
                          .pc = (uint32_t)(pc - CODE),
                          .atomic = atomic};
}

uintptr_t order_pc(uint32_t pc)
{
    return CODE + (uintptr_t)(int32_t)pc;
}

/* __threadfence(), or __threadfence_block(), which does nothing for other blocks. */
void order_fence(const struct warp *w, bool device)
{
    const unsigned warp = w->first / WARP_SIZE;
    handover_fence(warp, orders[warp].clock, epoch, device);
}

/* What is quicker to see comes before, in race.c: the order of the program, and barriers. Here are
 * lanes of one warp that have met, and hand-overs. */
bool order_by_sync(const struct stamp *then, const struct stamp *now)
{
    const struct warp_order *o = &orders[now->thread / WARP_SIZE];
    if (then->block == now->block && then->thread / WARP_SIZE == now->thread / WARP_SIZE) {
        const unsigned a = now->thread % WARP_SIZE, b = then->thread % WARP_SIZE;
        if (then->clock < o->all_seen || (o->partial && then->clock < o->seen[a][b]))
            return true;
    }
    return handed_over(then, now);
}
