/* SPDX-License-Identifier: MIT */
/*
 * order.c - does one access happen before another in every run, or only in this one? What orders
 * them:
 *
 *   the same thread        by the program
 *   __syncthreads          all threads of a block: numbers the `interval`
 *   __syncwarp(mask)       the lanes of the mask, by their warp's clock. Shuffles and votes don't
 *                          count: CUDA says that they order no memory.
 *   a memory barrier       a wait comes after all that the arrivals have seen, and after
 *   a cluster's barrier    the barrier's bytes; the same for the barrier of a cluster
 *   a grid's barrier       all blocks of a cooperative launch: also numbers the `interval`
 *   fence, then an atomic  release what was written before them; a later atomic on the same
 *                          address acquires it. So a ticket works:
 *
 *     partial[b] = sum;  __threadfence();  ticket = atomicAdd(&count, 1);
 *
 * The block that draws the last ticket comes after the atomics of all others, and may read what
 * they wrote. So may a lane that takes a lock by an atomic after another one of its warp has given
 * it back. Else fences and atomics count for the whole warp, and a fence after a barrier for all
 * that the block did before that barrier. This can miss a mistake of a single thread; it never
 * reports a right program.
 */
#include <stdio.h>
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

enum { PLACES = 63, ELSEWHERE = 63, MOST_RELEASES = 1 << 20 };

/* What a warp has fenced and acquired. */
struct sync {
    uint32_t fence;                       /* clock of the last one; 0: none */
    uint32_t device_fence;                /* of the last one of device scope */
    uint64_t acquired;                    /* addresses of atomics, see place_of() */
    uint64_t acquired_at;                 /* the time of the last one */
    uint32_t proxy_clock, proxy_interval; /* of the last fence for bulk copies */
    uint32_t atomic_clock;                /* of its last atomic, */
    uintptr_t atomic_at;                  /* and where that was */
    uint32_t handed[WARP_SIZE];           /* a lane has acquired what its warp fenced before this */
};

/* A block of the team. */
struct block_order {
    uint32_t block, interval;
    uint32_t met;            /* all blocks of the team have seen what came before this interval */
    bool went_back;          /* since the last barrier, by a loop */
    uint32_t fence_interval; /* see struct release */
    uint32_t fenced_warps;
    uint32_t proxy_interval; /* of the block's last fence for bulk copies */
    uint64_t block_acquired;
    struct sync syncs[MAX_WARPS];
    struct warp_order orders[MAX_WARPS];
};

/* A warp has executed a fence and then an atomic. */
struct release {
    struct epoch by;              /* the atomic */
    uint32_t fence, device_fence; /* what its warp wrote before them is released */
    uint32_t before;              /* the same of the warp's last atomic before it */
    uint32_t fence_interval;      /* of the last fence in the block, plus 1, */
    uint32_t fenced_warps;        /* and a bit for each warp that has a fence there */
    uint64_t place;               /* one bit */
    uint64_t at;                  /* time */
};

uint32_t first_block;

static uint32_t blocks_begun;
static uint64_t now_at;
static struct block_order **team, *here; /* here: the running block */
static unsigned team_room;

static struct release *releases; /* of this launch, in the order of blocks */
static size_t release_count, release_capacity;

static uintptr_t places[PLACES]; /* addresses of atomics that have released something */
static uint64_t carries[PLACES + 1];
static unsigned place_count;

/* ---- what warps have seen of each other, by memory barriers and cluster barriers ---- */

/*
 * A row is a vector clock: a clock for each warp of the cluster, before which everything has been
 * seen. A warp has one. A barrier has one for the current phase and one for the last phase that has
 * completed, each for the whole cluster and for its own block and copies only. An arrival joins the
 * warp's row into the current one. When the phase completes, this becomes the open one, and a wait
 * joins it into the warp's: that of the cluster, or that of the block if it acquires with block
 * scope.
 */
static uint32_t *rows; /* of the team's warps */
static size_t row_count, row_length;
static bool known_used; /* by this team */

/* The last access of each warp of the cluster to the shared memory of each other block. */
static struct far_access *far_accesses; /* [member of the team][column of the warp] */

enum { ALL, NEAR, KINDS };
static struct barrier_clocks {
    uintptr_t barrier;
    uint32_t *coming[KINDS], *open[KINDS]; /* in one piece of memory, `coming` first */
} * barriers; /* by barrier: open addressing, the size is a power of two */
static size_t barrier_count, barrier_capacity;

static void *made(size_t elements, size_t bytes)
{
    void *p = calloc(elements, bytes);
    if (!p) {
        fprintf(stderr, "simt: out of host memory\n");
        exit(1);
    }
    return p;
}

static uint32_t *row_of(unsigned member, unsigned warp)
{
    return rows + (member * warps_in_block() + warp) * row_length;
}

/* The index of a warp in the rows of its cluster. */
static size_t column_of(unsigned member, unsigned warp)
{
    return (member - cluster_of(member)) * warps_in_block() + warp;
}

static void join_row(uint32_t *to, const uint32_t *from)
{
    for (size_t i = 0; i < row_length; i++)
        to[i] = to[i] > from[i] ? to[i] : from[i];
}

static void forget_known(void)
{
    for (size_t i = 0; i < barrier_capacity; i++) {
        free(barriers[i].coming[ALL]);
        barriers[i] = (struct barrier_clocks){0};
    }
    barrier_count = 0;
    if (known_used)
        memset(rows, 0, row_count * row_length * sizeof *rows);
    known_used = false;
}

static struct barrier_clocks *find_clocks(uintptr_t barrier)
{
    size_t i = barrier / 8 * 0x9e3779b97f4a7c15u >> 20;
    while (barriers[i & (barrier_capacity - 1)].coming[ALL] &&
           barriers[i & (barrier_capacity - 1)].barrier != barrier)
        i++;
    return &barriers[i & (barrier_capacity - 1)];
}

static struct barrier_clocks *clocks_of(uintptr_t barrier)
{
    if (2 * barrier_count >= barrier_capacity) {
        struct barrier_clocks *old = barriers;
        const size_t old_room = barrier_capacity;
        barrier_capacity = old_room ? 2 * old_room : 256;
        barriers = made(barrier_capacity, sizeof *barriers);
        for (size_t i = 0; i < old_room; i++)
            if (old[i].coming[ALL])
                *find_clocks(old[i].barrier) = old[i];
        free(old);
    }
    struct barrier_clocks *g = find_clocks(barrier);
    if (!g->coming[ALL]) {
        uint32_t *p = made(2 * KINDS * row_length, sizeof *p);
        g->barrier = barrier;
        for (int kind = 0; kind < KINDS; kind++, p += row_length) {
            g->coming[kind] = p;
            g->open[kind] = p + KINDS * row_length;
        }
        barrier_count++;
    }
    return g;
}

void order_forget(uintptr_t barrier)
{
    memset(clocks_of(barrier)->coming[ALL], 0, 2 * KINDS * row_length * sizeof(uint32_t));
}

void order_open(uintptr_t barrier)
{
    const struct barrier_clocks *g = clocks_of(barrier);
    memcpy(g->open[ALL], g->coming[ALL], KINDS * row_length * sizeof(uint32_t));
    memset(g->coming[ALL], 0, KINDS * row_length * sizeof(uint32_t));
}

void order_arrive(const struct warp *w, uintptr_t barrier)
{
    const unsigned warp = w->first / WARP_SIZE;
    uint32_t *row = row_of(sim.running, warp);
    row[column_of(sim.running, warp)] = here->orders[warp].clock;
    known_used = true;
    const struct barrier_clocks *g = clocks_of(barrier);
    join_row(g->coming[ALL], row);
    if (memory_owner(barrier) == sim.running)
        join_row(g->coming[NEAR], row);
}

void order_started(const struct warp *w, uintptr_t barrier)
{
    uint32_t *seen = &clocks_of(barrier)->coming[ALL][column_of(sim.running, w->first / WARP_SIZE)];
    *seen = *seen > 0 ? *seen : 1;
    known_used = true;
}

void order_acquire(const struct warp *w, uintptr_t barrier, bool cluster)
{
    const struct barrier_clocks *g = clocks_of(barrier);
    join_row(row_of(sim.running, w->first / WARP_SIZE), g->open[cluster ? ALL : NEAR]);
    for (size_t c = 0; far_accesses && c < row_length; c++) { /* these accesses have happened */
        struct far_access *far = &far_accesses[sim.running * row_length + c];
        if (far->clock <= g->open[ALL][c])
            far->clock = 0;
    }
    known_used = true;
}

/* The bytes of a copy are written now, by the thread that started it; a wait for its barrier
 * acquires them. */
void order_landed(const struct bulk_copy *c, struct epoch *epoch)
{
    struct block_order *b = team[c->block];
    const unsigned warp = c->thread / WARP_SIZE;
    *epoch = (struct epoch){.block = b->block,
                            .interval = b->interval,
                            .clock = ++b->orders[warp].clock,
                            .thread = c->thread,
                            .pc = (uint32_t)(c->pc - CODE),
                            .copy = 1};
    for (int kind = 0; c->barrier && kind < KINDS; kind++)
        clocks_of(c->barrier)->coming[kind][column_of(c->block, warp)] = epoch->clock;
}

/* The same while it is under way. */
struct epoch order_under_way(const struct bulk_copy *c)
{
    const struct block_order *b = team[c->block];
    return (struct epoch){.block = b->block,
                          .interval = b->interval,
                          .thread = c->thread,
                          .pc = (uint32_t)(c->pc - CODE),
                          .copy = 1};
}

/* The warps of a block have synchronized: each has seen what any of them had. */
static void share_known(void)
{
    uint32_t *first = row_of(sim.running, 0);
    for (unsigned k = 0; k < warps_in_block(); k++) {
        row_of(sim.running, k)[column_of(sim.running, k)] = here->orders[k].clock;
        join_row(first, row_of(sim.running, k));
    }
    for (unsigned k = 1; k < warps_in_block(); k++)
        memcpy(row_of(sim.running, k), first, row_length * sizeof *first);
}

/* ---- a launch, a block, a barrier, a warp that synchronizes ---- */

void order_launch(void)
{
    first_block = blocks_begun + 1;
    release_count = place_count = 0;
    memset(carries, 0, sizeof carries);
    if (sim.team_size > team_room) {
        team = realloc(team, sim.team_size * sizeof *team);
        for (unsigned m = team_room; m < sim.team_size; m++)
            team[m] = made(1, sizeof **team);
        team_room = sim.team_size;
    }
    forget_known();
    free(rows);
    row_count = (size_t)sim.team_size * warps_in_block();
    row_length = (size_t)volume(sim.cluster) * warps_in_block();
    rows = made(row_count * row_length, sizeof *rows);
    here = team[0];
    free(far_accesses);
    far_accesses = NULL;
    if (volume(sim.cluster) > 1)
        far_accesses = made(sim.team_size * row_length, sizeof *far_accesses);
}

uint32_t order_assumed(void)
{
    return ++blocks_begun;
}

void order_turn(void)
{
    here = team[sim.running];
}

void order_block(void)
{
    here = team[sim.running];
    if (sim.running == 0 && (known_used || barrier_count))
        forget_known();
    if (sim.running == 0 && far_accesses)
        memset(far_accesses, 0, sim.team_size * row_length * sizeof *far_accesses);
    here->block = ++blocks_begun;
    here->interval = 1;
    here->met = 0;
    here->went_back = false;
    memset(here->syncs, 0, sizeof here->syncs);
    here->fence_interval = here->proxy_interval = 0;
    here->block_acquired = 0;
    for (unsigned k = 0; k < warps_in_block(); k++) {
        struct warp_order *o = &here->orders[k];
        o->clock = 1;
        o->at_barrier = o->last_pc = 0;
        o->all_seen = 0;
        o->partial = false;
    }
}

uint32_t order_oldest(void)
{
    return here->block - (sim.running - cluster_of(sim.running));
}

static void next_interval(struct block_order *b)
{
    b->interval++;
    b->went_back = false;
    for (unsigned k = 0; k < warps_in_block(); k++) {
        b->orders[k].at_barrier = b->orders[k].clock;
        b->orders[k].last_pc = 0;
    }
}

void order_barrier(void)
{
    if (known_used || row_length > warps_in_block())
        share_known();
    next_interval(here);
}

void order_grid(void)
{
    for (unsigned m = 0; m < sim.team_size; m++) {
        next_interval(team[m]);
        team[m]->met = team[m]->interval;
    }
}

/* The member of the team that made this access; team_size if none did. */
static unsigned member_of(const struct epoch *s)
{
    const unsigned member = s->block - team[0]->block;
    return s->block >= team[0]->block && member < sim.team_size ? member : sim.team_size;
}

static bool known_to_warp(const struct epoch *then, const struct epoch *now)
{
    const unsigned member = member_of(then);
    if (member == sim.team_size)
        return false;
    if (then->block != now->block && then->interval < team[member]->met)
        return true;
    return known_used && cluster_of(member) == cluster_of(sim.running) &&
           then->clock <=
               row_of(sim.running,
                      now->thread / WARP_SIZE)[column_of(member, then->thread / WARP_SIZE)];
}

bool order_has_started(const struct warp *w, unsigned member)
{
    const uint32_t *row = row_of(sim.running, w->first / WARP_SIZE);
    for (unsigned k = 0; k < warps_in_block(); k++)
        if (row[column_of(member, k)] != 0)
            return true;
    return false;
}

void order_far(const struct warp *w, unsigned lane, unsigned owner)
{
    const unsigned warp = w->first / WARP_SIZE;
    far_accesses[owner * row_length + column_of(sim.running, warp)] =
        (struct far_access){w,
                            lane,
                            sim.running,
                            here->orders[warp].clock,
                            w->pc[lane],
                            w->address[lane],
                            (enum stop)w->why[lane]};
}

/* The running block has exited. Which access to its shared memory has none of its warps seen? */
const struct far_access *order_unseen(void)
{
    for (size_t c = 0; far_accesses && c < row_length; c++) {
        const struct far_access *far = &far_accesses[sim.running * row_length + c];
        bool seen = far->clock == 0;
        for (unsigned k = 0; k < warps_in_block(); k++)
            seen |= row_of(sim.running, k)[c] >= far->clock;
        if (!seen)
            return far;
    }
    return NULL;
}

void order_step(const struct warp *w)
{
    here->orders[w->first / WARP_SIZE].clock++; /* see order_in_program() */
}

/* The lanes of the mask have synchronized: each has now seen what any of them had. */
void order_warp(const struct warp *w, uint32_t mask)
{
    struct warp_order *o = &here->orders[w->first / WARP_SIZE];
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
struct epoch order_epoch(const struct warp *w, uintptr_t pc, bool atomic)
{
    struct warp_order *o = &here->orders[w->first / WARP_SIZE];
    here->went_back |= pc < o->last_pc;
    o->last_pc = pc;
    return (struct epoch){.block = here->block,
                          .interval = here->interval,
                          .clock = ++o->clock,
                          .pc = (uint32_t)(pc - CODE),
                          .atomic = atomic};
}

uintptr_t order_pc(uint32_t pc)
{
    return CODE + (uintptr_t)(int32_t)pc;
}

/*
 * Which of two accesses comes first in the program, if all warps run at the same pace? Negative:
 * the first one. A message reports them in this order, and puts the barrier between them. The
 * emulator runs one warp up to a barrier and then the next, so time says nothing; the position of
 * an access in its own warp's sequence does. Only a loop returns to a lower address.
 */
int order_in_program(const struct epoch *a, const struct epoch *b)
{
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    const int by_place = ((int32_t)a->pc > (int32_t)b->pc) - ((int32_t)a->pc < (int32_t)b->pc);
    const uint32_t at_a = a->clock - here->orders[a->thread / WARP_SIZE].at_barrier;
    const uint32_t at_b = b->clock - here->orders[b->thread / WARP_SIZE].at_barrier;
    return at_a == at_b || !here->went_back ? by_place : at_a < at_b ? -1 : 1;
}

/* ---- a fence, then an atomic ---- */

/* __threadfence(), or __threadfence_block(), which has no effect on other blocks. */
void order_fence(const struct warp *w, bool device)
{
    const unsigned warp = w->first / WARP_SIZE;
    here->syncs[warp].fence = here->orders[warp].clock;
    if (!device)
        return;
    here->syncs[warp].device_fence = here->orders[warp].clock;
    if (here->fence_interval != here->interval + 1)
        here->fenced_warps = 0;
    here->fence_interval = here->interval + 1;
    here->fenced_warps |= 1u << warp;
}

void order_fence_proxy(const struct warp *w)
{
    struct sync *o = &here->syncs[w->first / WARP_SIZE];
    o->proxy_clock = here->orders[w->first / WARP_SIZE].clock;
    o->proxy_interval = here->proxy_interval = here->interval;
}

/* Is there a fence for bulk copies between a store of the block and the copy that `now` starts? In
 * the storing warp, in any warp before a barrier, or in the warp that starts the copy: the order of
 * two warps within one interval is not checked. */
bool order_fenced(const struct epoch *then, const struct epoch *now)
{
    const struct sync *stores = &here->syncs[then->thread / WARP_SIZE];
    const struct sync *asks = &here->syncs[now->thread / WARP_SIZE];
    return then->clock <= stores->proxy_clock || then->interval < here->proxy_interval ||
           (stores != asks && then->interval <= asks->proxy_interval);
}

/* A bit for an address. Beyond 63 addresses all share the last bit: then too much counts as
 * ordered. */
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

/* The first entry of a block, by binary search. */
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

/* The entry of this warp and place, or a new one, empty. NULL if there are too many. */
static struct release *release_slot(const struct epoch *now, uint64_t place)
{
    size_t i = first_release(now->block);
    for (; i < release_count && releases[i].by.block == now->block; i++)
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
    memmove(&releases[i + 1], &releases[i], (release_count++ - i) * sizeof *releases);
    releases[i] = (struct release){0};
    return &releases[i]; /* mostly the last one: only in a team are there others after it */
}

/* An atomic acquires what others have released at its address, and releases what its own warp has
 * fenced. One of block scope does so for its own block only. */
void order_atomic(const struct epoch *now, uintptr_t address)
{
    struct sync *o = &here->syncs[now->thread / WARP_SIZE];
    const bool has_fenced = o->fence != 0 || here->fence_interval != 0;
    o->atomic_clock = now->clock;
    o->atomic_at = address;
    const uint64_t place = place_of(address, has_fenced);
    if (place == 0)
        return;
    const uint64_t taken = place | carries[__builtin_ctzll(place)];
    o->acquired |= taken;
    o->acquired_at = ++now_at;
    if (!now->narrow)
        here->block_acquired |= taken;
    if (!has_fenced)
        return;
    if (!now->narrow)
        carries[__builtin_ctzll(place)] |= here->block_acquired;
    struct release *r = release_slot(now, place);
    if (!r)
        return;
    const uint32_t before = r->by.clock == now->clock ? r->before : r->fence;
    uint32_t *handed = &o->handed[now->thread % WARP_SIZE];
    *handed = *handed > before ? *handed : before;
    *r = (struct release){.by = *now,
                          .fence = o->fence,
                          .device_fence = o->device_fence,
                          .before = before,
                          .fence_interval = here->fence_interval,
                          .fenced_warps = here->fenced_warps,
                          .place = place,
                          .at = now_at};
}

/* Is there an atomic after the first access, and one at the same address before the second? Then it
 * may be a lock that lacks a fence. */
bool order_by_atomic(const struct epoch *then, const struct epoch *now)
{
    const struct sync *a = &here->syncs[then->thread / WARP_SIZE];
    const struct sync *b = &here->syncs[now->thread / WARP_SIZE];
    return then->block == now->block && then->clock < a->atomic_clock &&
           b->atomic_clock < now->clock && a->atomic_at == b->atomic_at;
}

/* Has the running block executed an atomic, which may be meant to order it after others? */
bool order_has_atomic(void)
{
    for (unsigned k = 0; k < warps_in_block(); k++)
        if (here->syncs[k].atomic_at != 0)
            return true;
    return false;
}

/* Has the thread of `now` acquired it? An atomic is itself part of what it releases. */
static bool has_acquired(const struct epoch *then, const struct epoch *now)
{
    const struct sync *o = &here->syncs[now->thread / WARP_SIZE];
    const bool same_block = then->block == now->block;
    const uint64_t acquired = same_block ? o->acquired : here->block_acquired;
    if (release_count == 0 || acquired == 0)
        return false;
    if (release_count >= MOST_RELEASES / 2)
        return true; /* the list may be full */
    for (size_t i = first_release(then->block); i < release_count; i++) {
        const struct release *r = &releases[i];
        if (r->by.block != then->block)
            return false;
        if (!(r->place & acquired) || (same_block ? r->at >= o->acquired_at : r->by.narrow))
            continue;
        const uint32_t fence = same_block ? r->fence : r->device_fence;
        if (r->by.thread / WARP_SIZE == then->thread / WARP_SIZE &&
            then->clock <= (then->atomic && fence ? r->by.clock : fence))
            return true;
        const bool fenced = r->fenced_warps >> then->thread / WARP_SIZE & 1;
        if (then->interval < r->by.interval &&
            then->interval + (fenced ? 0u : 1u) < r->fence_interval)
            return true;
    }
    return false;
}

/* The quick checks come before, in race.c: program order and barriers. Here: lanes of one warp that
 * have synchronized, then release and acquire. */
bool order_by_sync(const struct epoch *then, const struct epoch *now)
{
    const struct warp_order *o = &here->orders[now->thread / WARP_SIZE];
    if (then->block == now->block && then->thread / WARP_SIZE == now->thread / WARP_SIZE) {
        const unsigned a = now->thread % WARP_SIZE, b = then->thread % WARP_SIZE;
        if (then->clock < o->all_seen || (o->partial && then->clock < o->seen[a][b]) ||
            then->clock <= here->syncs[now->thread / WARP_SIZE].handed[a])
            return true;
    }
    return known_to_warp(then, now) || has_acquired(then, now);
}
