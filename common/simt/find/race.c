/* SPDX-License-Identifier: MIT */
/*
 * race.c - finds data races: two threads use one word, at least one of them writes, and nothing
 * orders the two. It need not go wrong in this run: what counts is that it may.
 *
 *     s_data[tid] = x;          thread 5 writes word 5: its cell says "thread 5, epoch 1"
 *     sum += s_data[tid + 1];   thread 4 reads word 5 in epoch 1 too: a race
 *
 * With __syncthreads() in between the epoch is 2, and all is well. Atomics do not race with each
 * other, nor do stores of the same value.
 *
 * Some conflicts may turn out to be harmless, and wait a moment for that. Two stores to one word
 * are harmless when both store the same value, such as `found = 1` by many threads: the value is
 * known when the lane has come to its next stop. A plain read of a word that others change by
 * atomics is harmless when the reader itself goes on with an atomic there, as in
 * `old = *p; do ... atomicCAS(p, old, new)`; one access may lie between, as of two such words.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* One lane's part of the instruction that executes. */
struct visit {
    struct stamp now;
    uint32_t oldest; /* stamps of earlier blocks are about other memory, or another launch */
    uint32_t oldest_shared;
    const struct warp *warp;
    uint32_t group; /* all lanes of the instruction */
    unsigned lane;
    const struct region *region;
    bool of_barrier; /* it says itself when it is not set up */
    bool bulk;       /* of a bulk copy: what it reads, or where it writes to */
};

/* ---- stores of the same value ---- */

enum { MOST_BYTES = 16 };

static struct {
    struct conflict conflict[WARP_SIZE];
    unsigned char before[WARP_SIZE][MOST_BYTES]; /* what the lane's store will overwrite */
    uintptr_t address[WARP_SIZE];
    uint32_t bytes;
    uint32_t reports; /* the others only store to the same word */
} meeting;

/* sim.meeting holds the lanes that have not stored yet. */
static void join(unsigned lane, uintptr_t address, uint32_t bytes)
{
    sim.meeting |= 1u << lane;
    meeting.address[lane] = address;
    memcpy(meeting.before[lane], (const void *)address, bytes);
}

/* When 32 lanes store different values in one instruction, one of them wins and nobody knows
 * which. */
static void store_waits(const struct conflict *c)
{
    const unsigned lane = c->now.thread % WARP_SIZE, other = c->then.thread % WARP_SIZE;
    if (c->bytes > MOST_BYTES) {
        finding_race(c);
        return;
    }
    if (sim.meeting == 0)
        meeting.reports = 0;
    meeting.bytes = c->bytes;
    join(lane, c->address, c->bytes);
    if (c->one_instruction && !(sim.meeting >> other & 1))
        join(other, c->address, c->bytes);
    meeting.conflict[lane] = *c;
    meeting.reports |= 1u << lane;
}

/* A lane has stored and come to its next stop: memory still holds its value. */
void race_stored(void)
{
    const unsigned lane = sim.lane;
    const uintptr_t address = meeting.address[lane];
    sim.meeting &= ~(1u << lane);
    if (meeting.reports >> lane & 1 &&
        memcmp(meeting.before[lane], (const void *)address, meeting.bytes) != 0)
        finding_race(&meeting.conflict[lane]);
    for (uint32_t rest = sim.meeting; rest != 0; rest &= rest - 1) {
        const unsigned other = (unsigned)__builtin_ctz(rest);
        if (meeting.address[other] == address)
            memcpy(meeting.before[other], (const void *)address, meeting.bytes);
    }
}

/* ---- a plain read before an atomic ---- */

enum { READS = 2, ACCESSES = 2 }; /* that wait at most, and how many accesses each waits for */

/* Of a block of the team. The first read is the older one. */
struct pending {
    struct conflict reads[MAX_THREADS][READS];
    unsigned char left[MAX_THREADS][READS]; /* accesses; 0: no read waits */
};
static struct pending **pending;
static unsigned pending_room;
static unsigned reads_waiting; /* that are not settled yet, in the team */

/* A read no longer waits: the others move up. */
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

/* By the program or by a barrier, which is quick to see; else by the warp or a fence. */
static inline bool is_before(const struct stamp *then, const struct stamp *now)
{
    if (then->block == now->block && (then->epoch != now->epoch || then->thread == now->thread))
        return true;
    return order_by_sync(then, now);
}

/* Atomics do not race with atomics. But one that is for its own block only is none for others. */
static inline bool both_atomic(const struct stamp *a, const struct stamp *b)
{
    return a->atomic && b->atomic && (a->block == b->block || !(a->narrow || b->narrow));
}

/* The reads of this instruction's own lanes are part of their atomics. */
static void forget_reads(const struct visit *v, const struct cells *c)
{
    if (c->read->key != c->key)
        return;
    for (int i = 0; i < 2; i++) {
        struct stamp *by = &c->read->by[i];
        const unsigned lane = by->thread - v->warp->first;
        if (by->block == v->now.block && !by->atomic && lane < WARP_SIZE && v->group >> lane & 1)
            by->block = 0;
    }
}

static inline bool races(const struct visit *v, const struct stamp *then)
{
    return then->block >= v->oldest && !is_before(then, &v->now);
}

static void conflict(const struct visit *v, const struct stamp *then, enum act was, enum act is)
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
static void remember(const struct visit *v, const struct cells *c, const struct stamp *reader)
{
    struct stamp *a = &c->read->by[0], *b = &c->read->by[1];
    if (c->read->key != c->key) {
        c->read->key = c->key;
        a->block = b->block = 0;
    }
    const bool here = a->block == reader->block;
    const bool ended = a->block < v->oldest || (here && a->epoch != reader->epoch);
    const bool same_warp = here && a->thread / WARP_SIZE == reader->thread / WARP_SIZE;
    const bool b_counts = b->block >= v->oldest && b->epoch == reader->epoch;
    if (ended || (same_warp && (b_counts || a->thread == reader->thread)))
        *a = *reader;
    else
        *b = *reader;
}

/* Loads do not race with loads, though one of them is atomic. */
static void visit_read(const struct visit *v, const struct cells *c)
{
    const struct stamp *by = c->read->by;
    if (c->write && !both_atomic(&c->write->by, &v->now) && races(v, &c->write->by))
        conflict(v, &c->write->by, ACT_WRITE, v->now.load ? ACT_ATOMIC : ACT_READ);
    else if (c->read->key == c->key && !v->now.load)
        for (int i = 0; i < 2; i++)
            if (by[i].atomic && !by[i].load && races(v, &by[i]))
                conflict(v, &by[i], ACT_ATOMIC, ACT_READ);
    remember(v, c, &v->now);
}

/* Atomics gather in the cell of reads, so that a later plain access meets more than the last one.
 * A plain write in front of them stays, for the atomics of others to meet. */
static void visit_atomic(const struct visit *v, const struct cells *c)
{
    struct stamp *last = &c->write->by;
    const bool live = last->block >= v->oldest, shared = v->region->space == SPACE_SHARED;
    if (live && !last->atomic && (!shared || last->epoch == v->now.epoch)) {
        remember(v, c, &v->now);
        return;
    }
    if (live && last->atomic)
        remember(v, c, last);
    *last = v->now;
}

static void visit_write(const struct visit *v, const struct cells *c)
{
    struct stamp *by = c->read->by;
    const bool known = c->read->key == c->key;
    const enum act is = v->now.atomic ? ACT_ATOMIC : ACT_WRITE;
    struct stamp *last = &c->write->by;
    bool raced = false;
    if (!both_atomic(last, &v->now) && races(v, last))
        conflict(v, last, ACT_WRITE, is);
    for (int i = 0; i < 2 && known; i++)
        if (!both_atomic(&by[i], &v->now) && races(v, &by[i])) {
            conflict(v, &by[i], ACT_READ, is);
            raced = true;
        }
    if (v->now.atomic) {
        visit_atomic(v, c);
        return;
    }
    if (known && !raced)
        by[0].block = by[1].block = 0; /* who is after this write is after those reads */
    *last = v->now;
}

/* ---- one instruction ---- */

/* Is a bulk copy under way to or from the place that is touched? */
static void meet_copies(const struct visit *v, enum stop why)
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
        const struct stamp asked = order_asked(c);
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

/* Has the block stored there, and not fenced for copies? These go another way than its stores. */
static void meet_store(const struct visit *v, const struct stamp *then, uintptr_t address,
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

/* Has the launch before used the place? The lane has not waited for its end. */
static void meet_launch_before(const struct visit *v, enum stop why)
{
    const uintptr_t address = v->warp->address[v->lane];
    const uintptr_t last = (address + v->warp->bytes[v->lane] - 1) >> tables_before.shift;
    const enum act is = v->now.atomic ? ACT_ATOMIC : why == STOP_READ ? ACT_READ : ACT_WRITE;
    for (uintptr_t word = address >> tables_before.shift; word <= last; word++) {
        const size_t slot = slot_of(word);
        const uint64_t key = (uint64_t)word << 2 | tables_before.shift;
        const struct write_cell *w = &tables_before.writes[slot & ((1u << WRITES_LOG2) - 1)];
        const struct read_cell *r = &tables_before.reads[slot & ((1u << READS_LOG2) - 1)];
        if (w->key == key && w->by.block >= first_beside && !both_atomic(&w->by, &v->now))
            conflict(v, &w->by, ACT_WRITE, is);
        for (int i = 0; i < 2 && r->key == key; i++) {
            const bool stored = r->by[i].atomic && !r->by[i].load;
            if (r->by[i].block >= first_beside && (why != STOP_READ || stored) &&
                !both_atomic(&r->by[i], &v->now))
                conflict(v, &r->by[i], ACT_READ, is);
        }
    }
}

/* Called with constants, so that each kind of access has code of its own. */
static inline __attribute__((always_inline)) void visit_as(struct visit *v, enum stop why,
                                                           bool shared)
{
    const uintptr_t address = v->warp->address[v->lane];
    const uint32_t bytes = v->warp->bytes[v->lane];
    const struct shadow *shadow = shared ? NULL : v->region->shadow;
    const bool some = shadow && shadow->written; /* ... of its bytes nobody has written */
    const unsigned shift = cells_shift(v->region, address, bytes, shared);
    const bool unwritten =
        some && why != STOP_WRITE && shadow_is_unwritten(v->region, address, bytes);
    uint32_t words = 0, blank = 0;
    v->oldest = shared ? v->oldest_shared : first_block;
    if (!shared && !(v->warp->waited >> v->lane & 1))
        meet_launch_before(v, why);
    if (sim.copy_count != 0)
        meet_copies(v, why);
    if (reads_waiting != 0)
        settle_reads(v->now.thread, why == STOP_ATOMIC, address, false);
    for (uintptr_t a = address; a - address < bytes; a += (uintptr_t)1 << shift, words++) {
        const struct cells c = cells_of(v->region, a, shift, shared, why != STOP_READ);
        blank += shared && why != STOP_WRITE && c.write->by.block < v->oldest;
        if (shared && v->bulk)
            meet_store(v, &c.write->by, a, 1u << shift);
        if (why == STOP_ATOMIC)
            forget_reads(v, &c);
        if (why == STOP_READ)
            visit_read(v, &c);
        else
            visit_write(v, &c);
    }
    if ((unwritten || blank == words) && !v->of_barrier)
        finding_unwritten(&v->now, v->region, address, bytes);
    if (some && why != STOP_READ)
        shadow_written(v->region, address, bytes);
}

static inline void visit_lane(struct visit *v, enum stop why)
{
    const bool shared = v->region->space == SPACE_SHARED;
    if (why == STOP_READ && shared)
        visit_as(v, STOP_READ, true);
    else if (why == STOP_READ)
        visit_as(v, STOP_READ, false);
    else if (why == STOP_WRITE && shared)
        visit_as(v, STOP_WRITE, true);
    else if (why == STOP_WRITE)
        visit_as(v, STOP_WRITE, false);
    else
        visit_as(v, STOP_ATOMIC, shared);
}

/* The lanes of `group` are about to execute one load, store or atomic; all of them are legal. */
void race_memory(const struct warp *w, uint32_t group)
{
    if (!watching)
        return;
    const unsigned first = (unsigned)__builtin_ctz(group);
    const enum stop why = plain_stop((enum stop)w->why[first]);
    struct visit v = {
        .now = order_stamp(w, w->pc[first], why == STOP_ATOMIC), .warp = w, .group = group};
    v.now.copy = w->why[first] == STOP_COPY;
    v.now.narrow = w->why[first] == STOP_BLOCK_ATOMIC;
    v.now.load = w->why[first] == STOP_STRONG_READ;
    v.oldest_shared = order_oldest();
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
        visit_lane(&v, v.now.load ? STOP_READ : why);
    }
}

/* A copy has written its bytes: from now on who has not waited for them races with it. */
void race_landed(const struct bulk_copy *c)
{
    struct stamp stamp;
    order_landed(c, &stamp);
    const uintptr_t to = memory_now(c->to);
    const struct region *r = watching ? memory_find(to) : NULL;
    if (!r)
        return;
    const bool shared = r->space == SPACE_SHARED;
    const unsigned shift = cells_shift(r, to, 4, shared);
    for (uintptr_t a = to; a - to < c->bytes; a += (uintptr_t)1 << shift)
        cells_of(r, a, shift, shared, true).write->by = stamp;
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
    sim.meeting = 0;
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
    findings_tell();
}
