/* SPDX-License-Identifier: MIT */
/*
 * turn.c - lanes of one warp that wait for each other.
 *
 *     while (atomicCAS(lock, 0, 1) != 0)     lane 0 has the lock and is ahead, in line 3. The lanes
 *         ;                                  that are behind run first: they would ask for ever
 *     *count += 1;
 *
 * A GPU lets both go on. Here lanes go in circles if their last accesses were all among a few that
 * they had made before: the same place, addresses and value. Then the other lanes that are ready
 * get a turn, until they go in circles too, or wait, or for a while.
 */
#include <string.h>

#include "inside.h"

enum { REPEATS = 1 << 10, TURN = 1 << 10, VALUE = sizeof(uint64_t) };

/* The place, the addresses, and what is at the first one. */
static uint64_t hash(const struct warp *w, uint32_t group)
{
    const int first = __builtin_ctz(group);
    uint64_t value = 0;
    memcpy(&value, (const void *)w->address[first],
           w->bytes[first] < VALUE ? w->bytes[first] : VALUE);
    uint64_t sum = w->pc[first] ^ value * 0x9e3779b97f4a7c15u;
    for (; group != 0; group &= group - 1)
        sum = (sum ^ w->address[__builtin_ctz(group)]) * 0x9e3779b97f4a7c15u;
    return sum;
}

static bool is_known(struct warp *w, uint64_t access)
{
    enum { KNOWN = sizeof w->known / sizeof *w->known };
    for (int i = 0; i < KNOWN; i++)
        if (w->known[i] == access)
            return true;
    memmove(w->known + 1, w->known, sizeof w->known - sizeof *w->known);
    w->known[0] = access;
    return false;
}

void turn_watch(struct warp *w, uint32_t group)
{
    if (w->turn != 0 && --w->turn_left == 0)
        w->turn = 0;
    w->repeats = is_known(w, hash(w, group)) ? w->repeats + 1 : 0;
    if (w->repeats < REPEATS)
        return;
    w->turn = turn_of(w) & ~group;
    w->turn_left = TURN;
    w->repeats = 0;
}
