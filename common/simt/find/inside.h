/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share; find.h is for all others.
 */
#ifndef SIMT_FIND_INSIDE_H
#define SIMT_FIND_INSIDE_H

#include "find.h"

#include <stdio.h>

/* message.c. A message is what is printed to `message` between begin and end; from then on the
 * process will exit with 1. Its first line says what and where, those that follow begin with four
 * spaces. */
extern FILE *message;
void message_begin(void);
void message_end(void);
void message_access(struct found_access access); /* it is about this one, and maybe a second */
extern struct found message_found;               /* the rest of what a listener is told */
void found_one(void);                            /* anything wrong in a kernel, told or not */
/* Findings wait for the end of the launch. A violation tells them first, and so does the exit. */
void message_findings(void (*tell)(void), void (*at_exit)(void));
/* The first two lines of a message: what this lane does wrong, and where. */
void message_violation(const struct warp *w, unsigned lane, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Comes after all messages, as "simt: failed: ...": why the process exits 1. */
void message_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

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
    unsigned shift;   /* 2, until a narrower access comes */
    uint8_t *written; /* of an allocation: a bit for every byte; NULL when all is written */
    uint8_t *cut;     /* a bit for every 4 bytes: a host call has written only some of them */
};

/* Where the cells of an address are. `read` may be the cell of another address: see its key. */
struct cells {
    struct write_cell *write; /* NULL: nobody has written there */
    struct read_cell *read;
    uint64_t key;
};

/* walls.c */
bool wall_is_hit(const struct region *r, uintptr_t address, uint32_t bytes);
bool wall_describe(const struct region *r, uintptr_t address, uint32_t bytes);
bool wall_element(const struct region *r, uintptr_t address, uint32_t bytes);

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
int order_in_program(const struct stamp *a, const struct stamp *b);

/* findings.c: gathers what is found, and tells of it when the launch ends. */
enum act { ACT_READ, ACT_WRITE, ACT_ATOMIC };

struct conflict {
    struct stamp then, now;
    enum act was, is;
    bool one_instruction;
    uintptr_t address;
    uint32_t bytes;
    const struct region *region;
    uint64_t when; /* steps that the block had made */
};

void finding_race(const struct conflict *c);
void finding_unwritten(const struct stamp *now, const struct region *r, uintptr_t address,
                       uint32_t bytes);
void findings_tell(void);

enum { MOST_FINDINGS = 256 };

enum finding_kind {
    RACE_AT_ONCE,   /* one instruction stores to one place by many threads: no barrier helps */
    RACE_IN_BLOCK,  /* a barrier helps */
    RACE_OF_BLOCKS, /* nor does it here */
    UNWRITTEN,
    FINDING_KINDS
};

/* Two places of a kernel that race, or one that reads. */
struct finding {
    enum finding_kind kind;
    const struct kernel *kernel;
    uint32_t pc, then_pc; /* the program comes to the second one later, or in a loop again */
    struct place at[2];   /* of these; found when the launch ends */
    uint64_t times;
    bool across;              /* threads of two warps have met there */
    bool fresh;               /* not told yet */
    struct conflict conflict; /* an example, in the order of the program */
};

/* remedy.c: what mends all of these, which are of one kernel and kind. */
struct remedy {
    char text[768]; /* the last lines of the message; those after the first begin with blanks */
    char brief[128];
    bool across; /* takes a barrier of the whole block */
    const struct finding *example;
};
void remedy_find(struct remedy *r, const struct finding *const *group, size_t count);

#endif
