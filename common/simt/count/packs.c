/* SPDX-License-Identifier: MIT */
/*
 * packs.c - members of one pack, such as p[i].x and p[i].y of a float4 in global memory, are moved
 * by nvcc in one request if nothing between them might change them. The program names a pack before
 * it touches a member: see include/simt/pack.hpp. The first member counts as the request, the
 * others of the same lanes as nothing: a sector that has one of them has all.
 */
#include "inside.h"

#include <stdlib.h>

enum { PACKS = 16 }; /* packs that a thread has named and that are still remembered */

struct pack {
    uintptr_t base;
    uint32_t bytes;
    bool moved[2]; /* a member was loaded, stored */
};

static struct thread_packs {
    unsigned named; /* of pack[], a ring */
    struct pack pack[PACKS];
} * packs_of;

static bool any; /* in this launch */

static struct thread_packs *packs(const struct warp *w, unsigned lane)
{
    return packs_of + (size_t)sim.running * MAX_THREADS + w->first + lane;
}

void packs_team(unsigned blocks)
{
    free(packs_of);
    packs_of = calloc((size_t)blocks * MAX_THREADS, sizeof *packs_of);
    if (!packs_of)
        abort();
}

void counters_pack(const struct warp *w, unsigned lane, uintptr_t base, uint32_t bytes)
{
    struct thread_packs *t = packs(w, lane);
    for (unsigned k = 0; k < PACKS && k < t->named; k++)
        if (t->pack[k].base == base && t->pack[k].bytes == bytes)
            return;
    t->pack[t->named++ % PACKS] = (struct pack){base, bytes, {false, false}};
    any = true;
}

void packs_forget(const struct warp *w, uint32_t lanes)
{
    for (; any && lanes != 0; lanes &= lanes - 1)
        packs(w, (unsigned)__builtin_ctz(lanes))->named = 0;
}

void packs_block(void)
{
    for (size_t i = 0; any && i < MAX_THREADS; i++)
        packs_of[(size_t)sim.running * MAX_THREADS + i].named = 0;
}

static struct pack *find(struct thread_packs *t, uintptr_t address, uint32_t bytes)
{
    for (unsigned k = 0; k < PACKS && k < t->named; k++)
        if (address - t->pack[k].base <= t->pack[k].bytes - bytes && bytes < t->pack[k].bytes)
            return &t->pack[k];
    return NULL;
}

bool packs_moved(const struct warp *w, uint32_t group, enum stop why)
{
    const bool store = why == STOP_WRITE;
    bool moved = true;
    if (!any)
        return false;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        struct pack *p = find(packs(w, lane), w->address[lane], w->bytes[lane]);
        if (!p || w->bytes[lane] < 4 || why == STOP_ATOMIC) {
            if (why != STOP_READ)
                packs_forget(w, group);
            return false;
        }
        moved = p->moved[store] && moved;
        p->moved[store] = true;
    }
    return moved;
}
