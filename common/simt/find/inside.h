/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share; find.h is for all others.
 */
#ifndef SIMT_FIND_INSIDE_H
#define SIMT_FIND_INSIDE_H

#include "find.h"

/* message.c. A message goes between begin and end; from then on the process will exit with 1. Its
 * first line says what and where, those that follow begin with four spaces. */
void message_begin(void);
void message_end(void);
void message_place(uintptr_t pc);
/* The end of a message's first line, and the second one. */
void message_thread(const struct warp *w, unsigned lane, uintptr_t pc);
void message_at_exit(void (*print)(void)); /* comes after all messages */

/* One access of one thread, in 16 bytes: there are three for each word. */
struct stamp {
    uint32_t block;      /* counts all blocks since the program started, from 1; 0: no access */
    uint32_t clock;      /* of its warp: grows with each memory instruction and each __syncwarp */
    uint32_t pc;         /* see order_pc() */
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
void shadow_written(const struct region *r, uintptr_t address, size_t bytes);

/* order.c */
extern uint32_t first_block; /* of this launch */
void order_launch(void);
void order_block(void);
struct stamp order_stamp(const struct warp *w, uintptr_t pc, bool atomic);
uintptr_t order_pc(uint32_t pc); /* the code address of a stamp's `pc` */
void order_atomic(const struct stamp *now, uintptr_t address);
bool order_by_sync(const struct stamp *then, const struct stamp *now);

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

#endif
