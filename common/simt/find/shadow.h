/* SPDX-License-Identifier: MIT */
/*
 * shadow.h - what the emulator remembers about memory: who wrote and who read it last.
 *
 *   shadow.c   where the memory of a word is kept: one cell a word for shared memory, a table of
 *              fixed size for global memory; which words have been written at all
 *   order.c    which of two accesses comes first for sure: barriers, __syncwarp
 *   handover.c the same by a fence and an atomic
 *   race.c     two accesses to one word, one of them a write, and no order between: a race
 *   later.c    conflicts that may be harmless
 *   findings.c the messages, once for each place
 */
#ifndef SIMT_SHADOW_H
#define SIMT_SHADOW_H

#include "../state/state.h"

/* One access of one thread, in 16 bytes: there are three for each word. */
struct stamp {
    uint32_t block;      /* counts all blocks since the program started, from 1; 0: no access */
    uint32_t clock;      /* of its warp: grows with each memory instruction and each __syncwarp */
    uint32_t pc;         /* see code_place() */
    uint32_t epoch : 21; /* barriers of the block before it */
    uint32_t thread : 10;
    uint32_t atomic : 1;
};

/* The last write of a word. */
struct write_cell {
    uint64_t key;
    struct stamp by;
};

/* Two of its readers: a writer is at most one of them, so one reader is left to race with it. */
struct read_cell {
    uint64_t key;
    struct stamp by[2];
};

struct shadow {
    struct write_cell *writes; /* of a shared array: a cell for every 1 << shift bytes ... */
    struct read_cell *reads;
    unsigned shift;     /* 2, until a narrower access comes */
    uint8_t *unwritten; /* of an allocation: a bit for every 4 bytes; NULL when all is written */
};

/* Where the cells of an address are. `read` may be the cell of another address: see its key. */
struct cells {
    struct write_cell *write; /* NULL: nobody has written there */
    struct read_cell *read;
    uint64_t key;
};

/* shadow.c */
void shadow_launch(void);
void shadow_refine(const struct region *r, unsigned shift);
unsigned shadow_global_shift(unsigned need);
struct cells shadow_global_cells(uintptr_t address, unsigned shift, bool write);
bool shadow_is_unwritten(const struct region *r, uintptr_t address, uint32_t bytes);

/* The size of the cells that this access needs, as a power of two. */
static inline unsigned shadow_shift(const struct region *r, uintptr_t address, uint32_t bytes)
{
    const unsigned need = (unsigned)__builtin_ctzll(address | bytes | 4);
    if (r->space != SPACE_SHARED)
        return shadow_global_shift(need);
    if (need < r->shadow->shift)
        shadow_refine(r, need);
    return r->shadow->shift;
}

static inline struct cells shadow_cells(const struct region *r, uintptr_t address, unsigned shift,
                                        bool write)
{
    if (r->space != SPACE_SHARED)
        return shadow_global_cells(address, shift, write);
    const size_t k = (address - r->low) >> shift;
    return (struct cells){&r->shadow->writes[k], &r->shadow->reads[k], 0};
}

/* order.c */
extern uint32_t first_block; /* of this launch */
void order_launch(void);
void order_block(void);
struct stamp order_stamp(const struct warp *w, uintptr_t pc, bool atomic);
bool order_by_sync(const struct stamp *then, const struct stamp *now);

/* By the program or by a barrier, which is quick to see; else by the warp or a fence. */
static inline bool order_before(const struct stamp *then, const struct stamp *now)
{
    if (then->block == now->block && (then->epoch != now->epoch || then->thread == now->thread))
        return true;
    return order_by_sync(then, now);
}

/* handover.c */
void handover_launch(void);
void handover_block(void);
void handover_fence(unsigned warp, uint32_t clock, uint32_t epoch, bool device);
void handover_atomic(const struct stamp *now, uintptr_t address);
bool handed_over(const struct stamp *then, const struct stamp *now);

/* findings.c: each prints a message the first time that its place is found. */
enum act { ACT_READ, ACT_WRITE, ACT_ATOMIC };

struct conflict {
    struct stamp then, now;
    enum act was, is;
    bool one_instruction;
    uintptr_t address;
    uint32_t bytes;
    const struct region *region;
};

void finding_race(const struct conflict *c);
void finding_unwritten(const struct stamp *now, const struct region *r, uintptr_t address,
                       uint32_t bytes);
void findings_block(void);
void findings_summary(void);

/* later.c: these become findings if they do not turn out to be harmless. */
void later_store(const struct conflict *c);
void later_read(const struct conflict *c);
extern unsigned later_waiting; /* reads that are not settled yet */
void later_settle(unsigned thread, bool atomic, uintptr_t address);

/* A place in the program in 32 bits: the distance from this file's code. */
uint32_t code_place(uintptr_t pc);

#endif
