/* SPDX-License-Identifier: MIT */
/*
 * bulk.c - bulk copies: one thread starts one, and the hardware copies while the threads go on.
 * Here a copy lands as late as it may: when a thread waits for it. So a read without a wait gets
 * the old bytes, and is reported.
 *
 * Into shared memory, a memory barrier counts the bytes. Out of it, the thread commits its copies
 * in groups, and waits for these.
 */
#include <stdlib.h>
#include <string.h>

#include "../find/find.h"
#include "inside.h"

static size_t capacity; /* copies under way that fit */

void copy_start(struct warp *w, uint32_t group)
{
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        if (sim.copy_count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            sim.copies = realloc(sim.copies, capacity * sizeof *sim.copies);
            if (!sim.copies)
                abort();
        }
        sim.copies[sim.copy_count++] = w->copy[__builtin_ctz(rest)];
    }
}

/* ---- when they arrive ---- */

static void land(unsigned i)
{
    const struct bulk_copy c = sim.copies[i];
    sim.copies[i] = sim.copies[--sim.copy_count];
    memmove((void *)memory_now(c.to), (const void *)memory_now(c.from), c.bytes);
    race_landed(&c);
    if (c.barrier)
        mbarrier_count(c.barrier, c.bytes);
}

/* Is the phase of a memory barrier over, now that the missing bytes may arrive? */
bool copies_complete(uintptr_t barrier, unsigned phase)
{
    struct mbarrier b = mbarrier_get(barrier);
    for (unsigned i = 0; b.phase == phase && b.missing == 0 && b.bytes > 0 && i < sim.copy_count;) {
        if (sim.copies[i].barrier != barrier) {
            i++;
            continue;
        }
        land(i);
        b = mbarrier_get(barrier);
    }
    return b.phase != phase;
}

/* Lands the copies of a thread of the running block, of groups before this one. */
void copies_of_thread(unsigned thread, unsigned before)
{
    for (unsigned i = 0; i < sim.copy_count;) {
        const struct bulk_copy *c = &sim.copies[i];
        if (!c->barrier && c->block == sim.running && c->thread == thread && c->group < before)
            land(i);
        else
            i++;
    }
}

/* The shared memory of a block that has exited belongs to another block: no copy to it or from it
 * may be under way. But a block exits only when the copies into it that its threads started without
 * a barrier have arrived. */
void copies_end(void)
{
    for (unsigned i = 0; i < sim.copy_count; i++) {
        const struct bulk_copy *c = &sim.copies[i];
        if (c->block != sim.running)
            continue;
        const struct region *r = c->barrier ? NULL : memory_find(memory_now(c->to));
        if (r && r->space == SPACE_SHARED) {
            sim.copies[i--] = sim.copies[--sim.copy_count];
            continue;
        }
        const struct warp *w = &sim.team[c->block].warps[c->thread / WARP_SIZE];
        violation(w, c->thread % WARP_SIZE, cudaErrorLaunchFailure, c->pc,
                  "bulk copy that no thread has waited for\n"
                  "    the block has exited, and its shared memory may be another block's\n    %s",
                  c->barrier ? "wait for its memory barrier"
                             : "end with wait() of cooperative groups, or with\n"
                               "    cp_async_bulk_commit_group() and _wait_group_read()");
        return;
    }
}
