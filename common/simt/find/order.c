/* SPDX-License-Identifier: MIT */
/*
 * order.c - is one access before another in every run, or only in this one? What orders them:
 *
 *   the same thread        by the program
 *   __syncthreads          all threads of a block: counted as `epoch`
 *   __syncwarp(mask)       the lanes of the mask, by the clock of their warp. Shuffles and votes
 *                          count as well. (CUDA promises it for __syncwarp only.)
 *   fence, then an atomic  hand over what was written before them, to all who do an atomic on the
 *                          same address later. So a ticket works:
 *
 *     partial[b] = sum;  __threadfence();  ticket = atomicAdd(&count, 1);
 *
 * The block that draws the last ticket has met the atomics of all others, and may read what they
 * wrote. Fences and atomics are taken for the whole warp, and a fence before a barrier for all
 * threads of the block. That can miss what one thread does wrong; it never reports a right program.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

struct warp_order {
    uint32_t clock;
    uint32_t at_barrier;                 /* the clock when the last barrier opened */
    uintptr_t last_pc;                   /* of its last instruction since then */
    uint32_t all_seen;                   /* every lane has seen what was before this clock */
    bool partial;                        /* `seen` is in use */
    uint32_t seen[WARP_SIZE][WARP_SIZE]; /* [a][b]: what a has seen of b */
};

/* A code address in 32 bits: its distance from the code of this file. */
#define CODE ((uintptr_t)order_launch)

uint32_t first_block;

static uint32_t block, epoch;
static bool went_back; /* since the last barrier: in a loop */
static struct warp_order orders[MAX_WARPS];

enum { PLACES = 63, ELSEWHERE = 63, MOST_RELEASES = 1 << 20 };

/* What a warp has fenced and taken over. */
struct hand {
    uint32_t fence, device_fence; /* clock of the last fence, and of the last one that other blocks
                                     can rely on; 0: none */
    uint64_t acquired;            /* places of atomics, see place_of() */
    uint64_t acquired_at;         /* the time of the last one */
};

/* A warp has done a fence and then an atomic. */
struct release {
    struct stamp by;              /* the atomic */
    uint32_t fence, device_fence; /* what its warp wrote before them is handed over */
    uint32_t fence_epoch;         /* of the last fence of any thread in the block, plus 1 */
    uint64_t place;               /* one bit */
    uint64_t at;                  /* time */
};

static struct hand hands[MAX_WARPS];
static uint32_t fence_epoch; /* see struct release */
static uint64_t now_at, block_acquired;

static struct release *releases; /* of this launch, in the order of blocks */
static size_t release_count, release_capacity;

static uintptr_t places[PLACES]; /* addresses of atomics that have handed something over */
static uint64_t carries[PLACES + 1];
static unsigned place_count;

/* ---- a launch, a block, a barrier, a warp that meets ---- */

void order_launch(void)
{
    first_block = block + 1;
    release_count = place_count = 0;
    memset(carries, 0, sizeof carries);
}

void order_block(void)
{
    block++;
    epoch = 1;
    went_back = false;
    memset(hands, 0, sizeof hands);
    fence_epoch = 0;
    block_acquired = 0;
    for (int k = 0; k < MAX_WARPS; k++) {
        struct warp_order *o = &orders[k];
        o->clock = 1;
        o->at_barrier = o->last_pc = 0;
        o->all_seen = 0;
        o->partial = false;
    }
}

void order_barrier(void)
{
    epoch++;
    went_back = false;
    for (int k = 0; k < MAX_WARPS; k++) {
        orders[k].at_barrier = orders[k].clock;
        orders[k].last_pc = 0;
    }
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
    went_back |= pc < o->last_pc;
    o->last_pc = pc;
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

/*
 * Which of two accesses comes first in the program, if all warps run at one pace? Negative: the
 * first one. That is how a message tells them, and where it puts the barrier. The emulator runs one
 * warp up to a barrier and then the next, so time says nothing; the place of an access in its own
 * warp's list does. Only a loop comes back to a lower address.
 */
int order_in_program(const struct stamp *a, const struct stamp *b)
{
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    const int by_place = ((int32_t)a->pc > (int32_t)b->pc) - ((int32_t)a->pc < (int32_t)b->pc);
    const uint32_t at_a = a->clock - orders[a->thread / WARP_SIZE].at_barrier;
    const uint32_t at_b = b->clock - orders[b->thread / WARP_SIZE].at_barrier;
    return at_a == at_b || !went_back ? by_place : at_a < at_b ? -1 : 1;
}

/* ---- a fence, then an atomic ---- */

/* __threadfence(), or __threadfence_block(), which does nothing for other blocks. */
void order_fence(const struct warp *w, bool device)
{
    const unsigned warp = w->first / WARP_SIZE;
    hands[warp].fence = orders[warp].clock;
    if (!device)
        return;
    hands[warp].device_fence = orders[warp].clock;
    fence_epoch = epoch + 1;
}

/* A bit for an address. Beyond 63 addresses all share the last one: then more counts as ordered. */
static uint64_t place_of(uintptr_t address, bool make)
{
    for (unsigned i = 0; i < place_count; i++)
        if (places[i] == address)
            return 1ull << i;
    if (make && place_count < PLACES) {
        places[place_count] = address;
        return 1ull << place_count++;
    }
    return place_count == PLACES ? 1ull << ELSEWHERE : 0;
}

/* The entry of this warp and place, or a new one. NULL if there are too many. */
static struct release *release_slot(const struct stamp *now, uint64_t place)
{
    for (size_t i = release_count; i-- > 0 && releases[i].by.block == now->block;)
        if (releases[i].by.thread / WARP_SIZE == now->thread / WARP_SIZE &&
            releases[i].place == place)
            return &releases[i];
    if (release_count == release_capacity) {
        const size_t more = release_capacity ? 2 * release_capacity : 256;
        void *grown = more > MOST_RELEASES ? NULL : realloc(releases, more * sizeof *releases);
        if (!grown)
            return NULL;
        releases = grown;
        release_capacity = more;
    }
    return &releases[release_count++];
}

/* An atomic takes over what others have handed over at its address, and hands over what its own
 * warp has fenced. */
void order_atomic(const struct stamp *now, uintptr_t address)
{
    struct hand *o = &hands[now->thread / WARP_SIZE];
    const bool hands_over = o->fence != 0 || fence_epoch != 0;
    const uint64_t place = place_of(address, hands_over);
    if (place == 0)
        return;
    const uint64_t taken = place | carries[__builtin_ctzll(place)];
    o->acquired |= taken;
    o->acquired_at = ++now_at;
    block_acquired |= taken;
    if (!hands_over)
        return;
    carries[__builtin_ctzll(place)] |= block_acquired;
    struct release *r = release_slot(now, place);
    if (r)
        *r = (struct release){.by = *now,
                              .fence = o->fence,
                              .device_fence = o->device_fence,
                              .fence_epoch = fence_epoch,
                              .place = place,
                              .at = now_at};
}

/* The first entry of a block. */
static size_t first_release(uint32_t of_block)
{
    size_t low = 0, high = release_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (releases[middle].by.block < of_block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Was it handed over to the thread that acts now? An atomic is itself part of the hand-over. */
static bool handed_over(const struct stamp *then, const struct stamp *now)
{
    const struct hand *o = &hands[now->thread / WARP_SIZE];
    const bool same_block = then->block == now->block;
    const uint64_t acquired = same_block ? o->acquired : block_acquired;
    if (release_count == 0 || acquired == 0)
        return false;
    if (release_count >= MOST_RELEASES / 2)
        return true; /* the list may be full */
    for (size_t i = first_release(then->block); i < release_count; i++) {
        const struct release *r = &releases[i];
        if (r->by.block != then->block)
            return false;
        if (!(r->place & acquired) || (same_block && r->at >= o->acquired_at))
            continue;
        const uint32_t fence = same_block ? r->fence : r->device_fence;
        if (r->by.thread / WARP_SIZE == then->thread / WARP_SIZE &&
            then->clock <= (then->atomic && fence ? r->by.clock : fence))
            return true;
        if (then->epoch < r->by.epoch && then->epoch < r->fence_epoch)
            return true;
    }
    return false;
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
