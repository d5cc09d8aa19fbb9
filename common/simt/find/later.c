/* SPDX-License-Identifier: MIT */
/*
 * later.c - conflicts that may turn out to be harmless, and wait a moment for that.
 *
 * Two stores to one word, not ordered: harmless when both store the same value, such as
 * `found = 1` by many threads. The value is known when the lane has come to its next stop. When 32
 * lanes store different values in one instruction, one of them wins and nobody knows which.
 *
 * A plain read of a word that others change by atomics: harmless when the reader itself goes on
 * with an atomic there, as in `old = *p; do ... atomicCAS(p, old, new)`.
 */
#include <string.h>

#include "shadow.h"

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

void later_store(const struct conflict *c)
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

static struct conflict reads[MAX_THREADS];
static bool waits[MAX_THREADS];
unsigned later_waiting;

void later_read(const struct conflict *c)
{
    const unsigned thread = c->now.thread;
    later_waiting += !waits[thread];
    waits[thread] = true;
    reads[thread] = *c;
}

/* The thread's next access. */
void later_settle(unsigned thread, bool atomic, uintptr_t address)
{
    if (!waits[thread])
        return;
    waits[thread] = false;
    later_waiting--;
    if (!atomic || reads[thread].address != address)
        finding_race(&reads[thread]);
}

void race_block_end(void)
{
    for (unsigned thread = 0; later_waiting != 0 && thread < MAX_THREADS; thread++)
        later_settle(thread, false, 0);
    findings_block();
}
