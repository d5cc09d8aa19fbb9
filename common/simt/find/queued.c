/* SPDX-License-Identifier: MIT */
/*
 * queued.c - memory that the host may use as well: managed or pinned. A launch returns at once, and
 * so does an asynchronous copy: on a GPU the work may still be running when the host touches the
 * same memory. In the emulator it is done by then, and the host would see results that may not
 * exist yet. So each such allocation records which of its bytes queued work has loaded and stored,
 * until the host waits for the device, or reads a flag, by an atomic or volatile access, that the
 * work has set after a __threadfence_system().
 */
#include <stdlib.h>

#include "inside.h"

static uint32_t waits = 1;    /* how often the host has waited, plus 1 */
static uint32_t fenced;       /* `waits` at the last system-wide fence of queued work */
static bool looked;           /* since then the host has seen a flag without such a fence */
static uintptr_t last_launch; /* since then; 0: none */

/* A piece of an allocation: what work that may still be running has loaded and stored. */
enum { PIECE_BYTES = 64 };
struct queued_piece {
    uint32_t waits; /* of the host before it */
    uint32_t flag;  /* `fenced` at the last store */
    uintptr_t pc[2];
    uint64_t bytes[2]; /* a bit for each */
    uint64_t plain;    /* those stored not by atomics alone */
};

/* The host's plain load of a word that the work changes by atomics: harmless if an atomic on that
 * word comes next, as in the loop of a compare-and-swap. `pc` is 0 if there is none. */
static struct {
    struct region region;
    struct queued_piece piece;
    size_t byte;
    uintptr_t address, pc;
} loaded;

/* The piece of a byte; `*bytes` becomes how many of the range are in it, `*mask` which. */
static struct queued_piece *piece_of(const struct region *r, uintptr_t address, size_t *bytes,
                                     uint64_t *mask)
{
    const size_t first = (address - r->low) % PIECE_BYTES;
    *bytes = *bytes < PIECE_BYTES - first ? *bytes : PIECE_BYTES - first;
    *mask = ~(uint64_t)0 >> (PIECE_BYTES - *bytes) << first;
    return &r->shadow->queued[(address - r->low) / PIECE_BYTES];
}

static void touch(const struct region *r, uintptr_t low, size_t bytes, bool store, bool atomic,
                  uintptr_t pc)
{
    if (!r || !r->shadow || bytes == 0 || !(r->space == SPACE_HOST || r->space == SPACE_MANAGED))
        return;
    struct shadow *s = r->shadow;
    if (!s->queued) /* allocated on first touch */
        s->queued = calloc(r->bytes / PIECE_BYTES + 1, sizeof *s->queued);
    for (size_t done = 0, n; s->queued && done < bytes; done += n) {
        uint64_t mask;
        n = bytes - done;
        struct queued_piece *p = piece_of(r, low + done, &n, &mask);
        if (p->waits != waits)
            *p = (struct queued_piece){.waits = waits};
        p->bytes[store] |= mask;
        p->plain |= store && !atomic ? mask : 0;
        p->pc[store] = pc;
        if (store)
            p->flag = fenced;
    }
}

void queued_touch(const struct region *r, uintptr_t low, size_t bytes, bool store, uintptr_t pc)
{
    touch(r, low, bytes, store, false, pc);
}

/* The piece in which queued work stores, or loads, one of these bytes, and the byte; NULL: none. */
static const struct queued_piece *touched(const struct region *r, uintptr_t low, size_t bytes,
                                          bool stored, size_t *byte)
{
    for (size_t done = 0, n; r->shadow->queued && done < bytes; done += n) {
        uint64_t mask;
        n = bytes - done;
        const struct queued_piece *p = piece_of(r, low + done, &n, &mask);
        if (p->waits != waits || !(p->bytes[stored] & mask))
            continue;
        *byte = (low + done - r->low) / PIECE_BYTES * PIECE_BYTES +
                (size_t)__builtin_ctzll(p->bytes[stored] & mask);
        return p;
    }
    return NULL;
}

void queued_request(const struct region *r, const struct warp *w, uint32_t group)
{
    const enum stop why = (enum stop)w->why[__builtin_ctz(group)];
    const bool store = stores(why), atomic = plain_stop(why) == STOP_ATOMIC;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        if (region_holds(r, w->address[lane]))
            touch(r, w->address[lane], w->bytes[lane], store, atomic, w->pc[lane]);
    }
}

/* Is this place reported for the first time? */
static bool is_new(uintptr_t pc)
{
    enum { MOST = 64 };
    static uintptr_t reported[MOST];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (reported[i] == pc)
            return false;
    if (count == MOST)
        return false;
    reported[count++] = pc;
    return true;
}

static void report(const struct region *r, const struct queued_piece *p, bool stored, size_t byte,
                   bool store, uintptr_t pc)
{
    char there[4096], here[4096];
    places_text(p->pc[stored], there, sizeof there);
    places_text(pc, here, sizeof here);
    found_one();
    message_begin();
    fprintf(message,
            "race on byte %zu of the %zu-byte %s allocation, with host code\n"
            "    %s at %s, by work that may still be running\n"
            "    %s by the host at %s\n"
            "    let the host wait first: cudaDeviceSynchronize()",
            byte, r->bytes, r->space == SPACE_HOST ? "pinned" : "managed",
            stored ? "written" : "read", there, store ? "written" : "read", here);
    if (looked)
        fprintf(message, "\n    or __threadfence_system() in the kernel, before it sets its flag");
    message_end();
    message_failed("race with host code at %s: add cudaDeviceSynchronize() before", here);
}

/* The host's next access is an atomic on this address, or something else: 0. */
static void settle(uintptr_t address)
{
    if (loaded.pc != 0 && loaded.address != address && is_new(loaded.pc))
        report(&loaded.region, &loaded.piece, true, loaded.byte, false, loaded.pc);
    loaded.pc = 0;
}

static void settle_last(void)
{
    settle(0);
}

static void load_waits(const struct region *r, const struct queued_piece *p, size_t byte,
                       uintptr_t address, uintptr_t pc)
{
    static bool registered;
    if (!registered)
        atexit(settle_last);
    registered = true;
    loaded.region = *r, loaded.piece = *p, loaded.byte = byte;
    loaded.address = address, loaded.pc = pc;
}

void queued_launch(uintptr_t pc)
{
    settle(0);
    last_launch = pc;
}

uintptr_t queued_last_launch(void)
{
    return last_launch;
}

void queued_is_done(void)
{
    settle(0);
    early_part();
    waits++;
    looked = false;
    last_launch = 0;
}

void queued_fence(void)
{
    fenced = waits;
}

uint32_t queued_waits(void)
{
    return waits;
}

/* The host's atomics and volatile accesses may overlap with the device's work. If such an access
 * sees a store after a fence, the host has acquired all that was stored before the fence. Which
 * fence came before which store is not checked, so the host then acquires everything. */
static void look_at_flag(const struct region *r, enum stop why, uintptr_t address, uint32_t bytes)
{
    size_t byte;
    const struct queued_piece *p =
        why == STOP_STRONG_WRITE ? NULL : touched(r, address, bytes, true, &byte);
    if (p && p->flag == waits)
        waits++;
    else if (p)
        looked = true;
}

void queued_host_access(const struct region *r, enum stop why, uintptr_t address, uint32_t bytes,
                        uintptr_t pc)
{
    const bool store = why == STOP_WRITE;
    if (!r->shadow || !watching || sim.error)
        return;
    settle(plain_stop(why) == STOP_ATOMIC ? address : 0);
    if (plain_stop(why) == STOP_ATOMIC) {
        look_at_flag(r, why, address, bytes);
        return;
    }
    for (int stored = !store; stored < 2; stored++) {
        size_t byte = 0;
        const struct queued_piece *p = touched(r, address, bytes, stored, &byte);
        if (p && !store && !(p->plain >> byte % PIECE_BYTES & 1)) {
            load_waits(r, p, byte, address, pc);
            return;
        }
        if (p && is_new(pc)) {
            report(r, p, stored, byte, store, pc);
            return;
        }
    }
    if (!store && shadow_is_unwritten(r, address, bytes) && is_new(pc)) {
        char here[4096];
        places_text(pc, here, sizeof here);
        fprintf(stderr,
                "simt: note: host code at %s reads memory that was never written\n"
                "    %u bytes, from byte %zu of the %zu-byte allocation\n",
                here, bytes, address - r->low, r->bytes);
    }
}
