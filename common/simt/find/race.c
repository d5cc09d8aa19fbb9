/* SPDX-License-Identifier: MIT */
/*
 * race.c - finds data races: two threads access the same word, at least one of them writes, and
 * nothing orders the two. It need not go wrong in this run: what counts is that it may.
 *
 *     s_data[tid] = x;          thread 5 writes word 5: its cell holds "thread 5, interval 1"
 *     sum += s_data[tid + 1];   thread 4 reads word 5 in interval 1 too: a race
 *
 * With __syncthreads() in between the interval is 2, and all is well. Atomics do not race with each
 * other, nor do stores of the same value.
 *
 * Some conflicts may turn out to be harmless, so their report is deferred. Two stores to one word
 * are harmless if both store the same value, such as `found = 1` by many threads: the value is
 * known when the lane reaches its next stop. A plain read of a word that others change by atomics
 * is harmless if the reader continues with an atomic on it, as in `old = *p; do ... atomicCAS(p,
 * old, new)`; one other access may come between, as with two such words.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* One lane's access in the current instruction. */
struct access {
    struct epoch now;
    uint32_t oldest; /* epochs of earlier blocks refer to other memory or launches */
    uint32_t oldest_shared;
    const struct warp *warp;
    uint32_t group; /* all lanes of the instruction */
    unsigned lane;
    const struct region *region;
    bool of_barrier; /* a barrier that is not initialized has its own message */
    bool bulk;       /* of a bulk copy: its read, or its write */
    bool sets;       /* an atomic that only stores */
};

/* ---- stores of the same value ---- */

enum { MOST_BYTES = 16 };

static struct {
    struct conflict conflict[WARP_SIZE];
    unsigned char before[WARP_SIZE][MOST_BYTES]; /* what the lane's store overwrites */
    uintptr_t address[WARP_SIZE];
    uint32_t bytes;
    uint32_t reports; /* lanes to report; the others only store to the same word */
} conflicts;

/* sim.conflicting is the mask of lanes that have not stored yet. */
static void join(unsigned lane, uintptr_t address, uint32_t bytes)
{
    sim.conflicting |= 1u << lane;
    conflicts.address[lane] = address;
    memcpy(conflicts.before[lane], (const void *)address, bytes);
}

/* If 32 lanes store different values in one instruction, one of them wins, and which one is
 * undefined. */
static void store_waits(const struct conflict *c)
{
    const unsigned lane = c->now.thread % WARP_SIZE, other = c->then.thread % WARP_SIZE;
    if (c->bytes > MOST_BYTES) {
        finding_race(c);
        return;
    }
    if (sim.conflicting == 0)
        conflicts.reports = 0;
    conflicts.bytes = c->bytes;
    join(lane, c->address, c->bytes);
    if (c->one_instruction && !(sim.conflicting >> other & 1))
        join(other, c->address, c->bytes);
    conflicts.conflict[lane] = *c;
    conflicts.reports |= 1u << lane;
}

/* A lane has stored and reached its next stop: memory still holds its value. */
void race_stored(void)
{
    const unsigned lane = sim.lane;
    const uintptr_t address = conflicts.address[lane];
    sim.conflicting &= ~(1u << lane);
    if (conflicts.reports >> lane & 1 &&
        memcmp(conflicts.before[lane], (const void *)address, conflicts.bytes) != 0)
        finding_race(&conflicts.conflict[lane]);
    for (uint32_t rest = sim.conflicting; rest != 0; rest &= rest - 1) {
        const unsigned other = (unsigned)__builtin_ctz(rest);
        if (conflicts.address[other] == address)
            memcpy(conflicts.before[other], (const void *)address, conflicts.bytes);
    }
}

/* ---- a plain read before an atomic ---- */

enum { READS = 2, ACCESSES = 2 }; /* deferred at most, and for how many accesses */

/* The deferred reads of a block of the team, the oldest first. */
struct pending {
    struct conflict reads[MAX_THREADS][READS];
    unsigned char left[MAX_THREADS][READS]; /* accesses left; 0: no read */
};
static struct pending **pending;
static unsigned pending_room;
static unsigned reads_waiting; /* deferred reads in the team */

/* A deferred read is settled: the others move up. */
static void settled(struct pending *p, unsigned thread, unsigned k, bool harmless)
{
    const struct conflict c = p->reads[thread][k];
    for (; k + 1 < READS; k++) {
        p->reads[thread][k] = p->reads[thread][k + 1];
        p->left[thread][k] = p->left[thread][k + 1];
    }
    p->left[thread][READS - 1] = 0;
    reads_waiting--;
    if (!harmless)
        finding_race(&c);
}

static void read_waits(const struct conflict *c)
{
    const unsigned thread = c->now.thread;
    struct pending *p = pending[sim.running];
    unsigned k = 0;
    while (k < READS && p->left[thread][k])
        k++;
    if (k > 0 && p->left[thread][k - 1] == ACCESSES)
        return; /* another cell of the same access */
    if (k == READS) {
        settled(p, thread, 0, false);
        k--;
    }
    p->reads[thread][k] = *c;
    p->left[thread][k] = ACCESSES;
    reads_waiting++;
}

/* The thread's next access, or its end. */
static void settle_reads(unsigned thread, bool atomic, uintptr_t address, bool ends)
{
    struct pending *p = pending[sim.running];
    for (unsigned k = 0; k < READS && p->left[thread][k];) {
        const bool harmless = atomic && p->reads[thread][k].address == address;
        if (harmless || ends || --p->left[thread][k] == 0)
            settled(p, thread, k, harmless);
        else
            k++;
    }
}

/* ---- one word ---- */

/* The size of the cells that this access needs, as a power of two. */
static inline unsigned cells_shift(const struct region *r, uintptr_t address, uint32_t bytes,
                                   bool shared)
{
    const unsigned need = (unsigned)__builtin_ctzll(address | bytes | 4);
    if (!shared)
        return shadow_global_shift(need);
    if (need < r->shadow->shift)
        shadow_refine(r, need);
    return r->shadow->shift;
}

static inline struct cells cells_of(const struct region *r, uintptr_t address, unsigned shift,
                                    bool shared, bool write)
{
    if (!shared)
        return shadow_global_cells(address, shift, write);
    const size_t k = (address - r->low) >> shift;
    return (struct cells){&r->shadow->writes[k], &r->shadow->reads[k], 0};
}

/* By program order or a barrier, which is quick to check; else by the warp or a fence. */
static inline bool is_before(const struct epoch *then, const struct epoch *now)
{
    if (then->block == now->block &&
        (then->interval != now->interval || then->thread == now->thread))
        return true;
    return order_by_sync(then, now);
}

/* Atomics do not race with atomics. But one of block scope is not atomic to other blocks, and
 * atomics of different widths are not atomic to each other. */
static inline bool both_atomic(const struct epoch *a, const struct epoch *b)
{
    return a->atomic && b->atomic && a->width == b->width &&
           (a->block == b->block || !(a->narrow || b->narrow));
}

/* The reads of this instruction's own lanes are part of their atomics. */
static void forget_reads(const struct access *v, const struct cells *c)
{
    if (c->read->key != c->key)
        return;
    for (int i = 0; i < 2; i++) {
        struct epoch *by = &c->read->by[i];
        const unsigned lane = by->thread - v->warp->first;
        if (by->block == v->now.block && !by->atomic && lane < WARP_SIZE && v->group >> lane & 1)
            by->block = 0;
    }
}

static inline bool races(const struct access *v, const struct epoch *then)
{
    return then->block >= v->oldest && !is_before(then, &v->now);
}

static void conflict(const struct access *v, const struct epoch *then, enum act was, enum act is)
{
    const bool one_instruction = then->block == v->now.block && then->clock == v->now.clock &&
                                 then->thread / WARP_SIZE == v->now.thread / WARP_SIZE;
    const struct conflict c = {.then = *then,
                               .now = v->now,
                               .was = then->copy     ? ACT_COPY
                                      : then->atomic ? ACT_ATOMIC
                                                     : was,
                               .is = is,
                               .one_instruction = one_instruction,
                               .address = v->warp->address[v->lane],
                               .bytes = v->warp->bytes[v->lane],
                               .region = v->region};
    if (is == ACT_WRITE && c.was == ACT_WRITE && !v->now.copy)
        store_waits(&c);
    else if (is == ACT_READ && c.was == ACT_ATOMIC)
        read_waits(&c);
    else
        finding_race(&c);
}

/* Keeps two different readers, of two warps or two blocks if it can. */
static void remember(const struct access *v, const struct cells *c, const struct epoch *reader)
{
    struct epoch *a = &c->read->by[0], *b = &c->read->by[1];
    if (c->read->key != c->key) {
        c->read->key = c->key;
        a->block = b->block = 0;
    }
    const bool here = a->block == reader->block;
    const bool ended = a->block < v->oldest || (here && a->interval != reader->interval);
    const bool same_warp = here && a->thread / WARP_SIZE == reader->thread / WARP_SIZE;
    const bool b_counts = b->block >= v->oldest && b->interval == reader->interval;
    if (ended || (same_warp && (b_counts || a->thread == reader->thread)))
        *a = *reader;
    else
        *b = *reader;
}

/* Loads do not race with loads, even if one of them is atomic. */
static void check_read(const struct access *v, const struct cells *c)
{
    const struct epoch *by = c->read->by;
    if (c->write && !both_atomic(&c->write->by, &v->now) && races(v, &c->write->by))
        conflict(v, &c->write->by, ACT_WRITE, v->now.load ? ACT_ATOMIC : ACT_READ);
    else if (c->read->key == c->key && !v->now.load)
        for (int i = 0; i < 2; i++)
            if (by[i].atomic && !by[i].load && races(v, &by[i]))
                conflict(v, &by[i], ACT_ATOMIC, ACT_READ);
    remember(v, c, &v->now);
}

/* Atomics collect in the read cell, so that a later plain access is compared with more than the
 * last one. A plain write before them stays, to be compared with the atomics of others. */
static void check_atomic(const struct access *v, const struct cells *c)
{
    struct epoch *last = &c->write->by;
    const bool live = last->block >= v->oldest, shared = v->region->space == SPACE_SHARED;
    if (live && !last->atomic && (!shared || last->interval == v->now.interval)) {
        remember(v, c, &v->now);
        return;
    }
    if (live && last->atomic)
        remember(v, c, last);
    *last = v->now;
}

static void check_write(const struct access *v, const struct cells *c)
{
    struct epoch *by = c->read->by;
    const bool known = c->read->key == c->key;
    const enum act is = v->now.atomic ? ACT_ATOMIC : ACT_WRITE;
    struct epoch *last = &c->write->by;
    bool raced = false;
    if (!both_atomic(last, &v->now) && races(v, last))
        conflict(v, last, ACT_WRITE, is);
    for (int i = 0; i < 2 && known; i++)
        if (!both_atomic(&by[i], &v->now) && races(v, &by[i])) {
            conflict(v, &by[i], ACT_READ, is);
            raced = true;
        }
    if (v->now.atomic) {
        check_atomic(v, c);
        return;
    }
    if (known && !raced)
        by[0].block = by[1].block = 0; /* what is after this write is after those reads */
    *last = v->now;
}

/* ---- one instruction ---- */

/* Is a bulk copy under way to or from the accessed address? */
static void conflict_with_copies(const struct access *v, enum stop why)
{
    const uintptr_t address = v->warp->address[v->lane];
    const uint32_t bytes = v->warp->bytes[v->lane];
    const uintptr_t home = memory_home(sim.running, address);
    for (unsigned i = 0; i < sim.copy_count; i++) {
        const struct bulk_copy *c = &sim.copies[i];
        const bool into = home < c->to + c->bytes && c->to < home + bytes;
        const bool from = home < c->from + c->bytes && c->from < home + bytes;
        if (!into && !(from && why != STOP_READ))
            continue;
        const struct epoch asked = order_under_way(c);
        finding_race(&(struct conflict){.then = asked,
                                        .now = v->now,
                                        .was = ACT_COPY,
                                        .is = why == STOP_READ    ? ACT_READ
                                              : why == STOP_WRITE ? ACT_WRITE
                                                                  : ACT_ATOMIC,
                                        .address = address,
                                        .bytes = bytes,
                                        .region = v->region});
        return;
    }
}

/* Has the block stored there without a fence for bulk copies? These take another path than
 * stores. */
static void conflict_with_store(const struct access *v, const struct epoch *then, uintptr_t address,
                                uint32_t bytes)
{
    if (then->block != v->now.block || then->copy || !is_before(then, &v->now) ||
        order_fenced(then, &v->now))
        return;
    finding_race(&(struct conflict){.then = *then,
                                    .now = v->now,
                                    .was = then->atomic ? ACT_ATOMIC : ACT_WRITE,
                                    .is = ACT_COPY,
                                    .address = address,
                                    .bytes = bytes,
                                    .region = v->region});
}

/* Has the previous launch used the address? The lane has not waited for its end. */
static void conflict_with_previous(const struct access *v, enum stop why)
{
    const uintptr_t address = v->warp->address[v->lane];
    const uintptr_t last = (address + v->warp->bytes[v->lane] - 1) >> tables_before.shift;
    const enum act is = v->now.atomic ? ACT_ATOMIC : why == STOP_READ ? ACT_READ : ACT_WRITE;
    for (uintptr_t word = address >> tables_before.shift; word <= last; word++) {
        const size_t slot = slot_of(word);
        const uint64_t key = (uint64_t)word << 2 | tables_before.shift;
        const struct write_cell *w = &tables_before.writes[slot & ((1u << WRITES_LOG2) - 1)];
        const struct read_cell *r = &tables_before.reads[slot & ((1u << READS_LOG2) - 1)];
        if (w->key == key && w->by.block >= first_previous && !both_atomic(&w->by, &v->now))
            conflict(v, &w->by, ACT_WRITE, is);
        for (int i = 0; i < 2 && r->key == key; i++) {
            const bool stored = r->by[i].atomic && !r->by[i].load;
            if (r->by[i].block >= first_previous && (why != STOP_READ || stored) &&
                !both_atomic(&r->by[i], &v->now))
                conflict(v, &r->by[i], ACT_READ, is);
        }
    }
}

/* Called with constants, so that each kind of access gets its own code. */
static inline __attribute__((always_inline)) void check_as(struct access *v, enum stop why,
                                                           bool shared)
{
    const uintptr_t address = v->warp->address[v->lane];
    const uint32_t bytes = v->warp->bytes[v->lane];
    const struct shadow *shadow = shared ? NULL : v->region->shadow;
    /* some of its bytes were never written */
    const bool some = shadow && (shadow->written || shadow->fresh);
    const unsigned shift = cells_shift(v->region, address, bytes, shared);
    const bool reads = why == STOP_READ || (why == STOP_ATOMIC && !v->sets);
    const bool unwritten = some && reads && shadow_is_unwritten(v->region, address, bytes);
    uint32_t words = 0, blank = 0;
    v->oldest = shared ? v->oldest_shared : first_block;
    if (!shared && !(v->warp->waited >> v->lane & 1))
        conflict_with_previous(v, why);
    if (sim.copy_count != 0)
        conflict_with_copies(v, why);
    if (reads_waiting != 0)
        settle_reads(v->now.thread, why == STOP_ATOMIC, address, false);
    for (uintptr_t a = address; a - address < bytes; a += (uintptr_t)1 << shift, words++) {
        const struct cells c = cells_of(v->region, a, shift, shared, why != STOP_READ);
        blank += shared && reads && c.write->by.block < v->oldest;
        if (shared && v->bulk)
            conflict_with_store(v, &c.write->by, a, 1u << shift);
        if (why == STOP_ATOMIC)
            forget_reads(v, &c);
        if (why == STOP_READ)
            check_read(v, &c);
        else
            check_write(v, &c);
    }
    if ((unwritten || blank == words) && !v->of_barrier)
        finding_unwritten(&v->now, v->region, address, bytes);
    if (some && why != STOP_READ)
        shadow_written(v->region, address, bytes);
}

static inline void check_lane(struct access *v, enum stop why)
{
    const bool shared = v->region->space == SPACE_SHARED;
    if (why == STOP_READ && shared)
        check_as(v, STOP_READ, true);
    else if (why == STOP_READ)
        check_as(v, STOP_READ, false);
    else if (why == STOP_WRITE && shared)
        check_as(v, STOP_WRITE, true);
    else if (why == STOP_WRITE)
        check_as(v, STOP_WRITE, false);
    else
        check_as(v, STOP_ATOMIC, shared);
}

/* The lanes of `group` are about to execute one load, store or atomic; all accesses are legal. */
void race_memory(const struct warp *w, uint32_t group)
{
    if (!watching)
        return;
    const unsigned first = (unsigned)__builtin_ctz(group);
    const enum stop why = plain_stop((enum stop)w->why[first]);
    struct access v = {
        .now = order_epoch(w, w->pc[first], why == STOP_ATOMIC), .warp = w, .group = group};
    v.now.copy = w->why[first] == STOP_COPY;
    v.now.narrow = w->why[first] == STOP_BLOCK_ATOMIC;
    v.now.load = w->why[first] == STOP_STRONG_READ;
    v.now.width = w->bytes[first] > 8 ? 2 : w->bytes[first] > 4;
    v.oldest_shared = order_oldest();
    v.sets = w->why[first] == STOP_STRONG_WRITE;
    v.of_barrier = w->why[first] == STOP_ARRIVE || w->why[first] == STOP_WAIT;
    v.bulk = (w->why[first] == STOP_FETCH || w->why[first] == STOP_COPY) && w->copy[first].bulk;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        v.lane = (unsigned)__builtin_ctz(rest);
        const uintptr_t address = w->address[v.lane];
        if (!v.region || !region_holds(v.region, address))
            v.region = memory_find(address);
        v.now.thread = w->first + v.lane;
        if (sim.team_size > 1 && memory_is_far(address))
            order_far(w, v.lane, memory_owner(address));
        if (why == STOP_ATOMIC)
            order_atomic(&v.now, address);
        check_lane(&v, v.now.load ? STOP_READ : why);
    }
}

/* A copy has written its bytes: from now on an access that has not waited for them races with
 * it. */
void race_landed(const struct bulk_copy *c)
{
    struct epoch epoch;
    order_landed(c, &epoch);
    const uintptr_t to = memory_now(c->to);
    const struct region *r = watching ? memory_find(to) : NULL;
    if (!r)
        return;
    const bool shared = r->space == SPACE_SHARED;
    const unsigned shift = cells_shift(r, to, 4, shared);
    for (uintptr_t a = to; a - to < c->bytes; a += (uintptr_t)1 << shift)
        cells_of(r, a, shift, shared, true).write->by = epoch;
    if (!shared)
        shadow_written(r, to, c->bytes);
}

/* ---- the course of a launch ---- */

static void make_pending(void)
{
    if (sim.team_size <= pending_room)
        return;
    pending = realloc(pending, sim.team_size * sizeof *pending);
    for (; pending && pending_room < sim.team_size; pending_room++)
        pending[pending_room] = calloc(1, sizeof **pending);
}

void race_launch(void)
{
    make_pending();
    order_launch();
    shadow_launch(sim.early);
}

void race_block(void)
{
    sim.conflicting = 0;
    order_block();
}

void race_turn(void)
{
    order_turn();
}

void race_block_end(void)
{
    for (unsigned thread = 0; reads_waiting != 0 && thread < MAX_THREADS; thread++)
        settle_reads(thread, false, 0, true);
}

void race_launch_end(void)
{
    findings_report();
}
