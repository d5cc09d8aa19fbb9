/* SPDX-License-Identifier: MIT */
/*
 * queued.c - memory that the host may use as well: managed, or pinned. A launch returns at once,
 * and so does an asynchronous copy: on a GPU the work may still run when the host touches what it
 * touches. Here it is done by then, and the host would see results that may not be there yet. So
 * each such allocation keeps which of its bytes queued work has loaded and stored, as one stretch
 * for each, until the host waits for the device.
 */
#include "inside.h"

static uint32_t waits = 1;    /* how often the host has waited, plus 1 */
static uintptr_t last_launch; /* since then; 0: none */

void queued_touch(const struct region *r, uintptr_t low, size_t bytes, bool store, uintptr_t pc)
{
    if (!r || !r->shadow || bytes == 0)
        return;
    struct stretch *s = &r->shadow->queued[store];
    if (s->waits != waits)
        *s = (struct stretch){waits, low, low + bytes, pc};
    if (low < s->low || low + bytes > s->end)
        s->pc = pc;
    s->low = low < s->low ? low : s->low;
    s->end = low + bytes > s->end ? low + bytes : s->end;
}

void queued_request(const struct region *r, const struct warp *w, uint32_t group)
{
    const bool store = stores((enum stop)w->why[__builtin_ctz(group)]);
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        if (region_holds(r, w->address[lane]))
            queued_touch(r, w->address[lane], w->bytes[lane], store, w->pc[lane]);
    }
}

void queued_launch(uintptr_t pc)
{
    last_launch = pc;
}

uintptr_t queued_last_launch(void)
{
    return last_launch;
}

void queued_is_done(void)
{
    waits++;
    last_launch = 0;
}

uint32_t queued_waits(void)
{
    return waits;
}

/* Is it the first time that this place is told of? */
static bool is_new(uintptr_t pc)
{
    enum { MOST = 64 };
    static uintptr_t told[MOST];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (told[i] == pc)
            return false;
    if (count == MOST)
        return false;
    told[count++] = pc;
    return true;
}

static void tell(const struct region *r, const struct stretch *s, bool stored, uintptr_t address,
                 bool store, uintptr_t pc)
{
    char there[4096], here[4096];
    places_text(s->pc, there, sizeof there);
    places_text(pc, here, sizeof here);
    found_one();
    message_begin();
    fprintf(message,
            "race on byte %zu of the %zu-byte %s allocation, with host code\n"
            "    %s at %s, by work that may still run\n"
            "    %s by the host at %s\n"
            "    let the host wait before: cudaDeviceSynchronize()",
            (size_t)(address - r->low), r->bytes, r->space == SPACE_HOST ? "pinned" : "managed",
            stored ? "written" : "read", there, store ? "written" : "read", here);
    message_end();
    message_failed("race with host code at %s: add cudaDeviceSynchronize() before", here);
}

/* Atomics of the host and of the device may meet. */
void queued_meets_host(const struct region *r, enum stop why, uintptr_t address, uint32_t bytes,
                       uintptr_t pc)
{
    const bool store = why == STOP_WRITE;
    if (!r->shadow || !watching || sim.error || why == STOP_ATOMIC)
        return;
    for (int stored = !store; stored < 2; stored++) {
        const struct stretch *s = &r->shadow->queued[stored];
        if (s->waits == waits && address < s->end && s->low < address + bytes && is_new(pc)) {
            tell(r, s, stored, address, store, pc);
            return;
        }
    }
}
