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
    uint32_t clock : 31; /* of its warp: grows with each memory instruction and each __syncwarp */
    uint32_t load : 1;   /* an atomic that only loads */
    uint32_t pc;         /* see order_pc() */
    uint32_t epoch : 19; /* barriers of the block before it */
    uint32_t thread : 10;
    uint32_t atomic : 1;
    uint32_t narrow : 1; /* an atomic for its own block only */
    uint32_t copy : 1;   /* a bulk copy that the thread has asked for */
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
    struct queued_piece *queued; /* of memory that the host may use, see queued.c; or NULL */
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

/* queued.c */
void queued_request(const struct region *r, const struct warp *w, uint32_t group);
void queued_meets_host(const struct region *r, enum stop why, uintptr_t address, uint32_t bytes,
                       uintptr_t pc);

/* shadow.c */
extern bool watching; /* SIMT_CHECK is not 0 */
void shadow_launch(bool early);
void shadow_refine(const struct region *r, unsigned shift);
bool shadow_is_unwritten(const struct region *r, uintptr_t address, uint32_t bytes);
void shadow_written(const struct region *r, uintptr_t address, size_t bytes);

/* The tables of global memory, here for speed: see shadow.c. */
enum { WRITES_LOG2 = 18, READS_LOG2 = 16, PAGE_SHIFT = 12, PAGES_LOG2 = 16 };
extern struct write_cell *global_writes;
extern struct read_cell *global_reads;
extern unsigned global_shift;

/* The same of the launch before, while one runs that may meet it. */
struct tables {
    struct write_cell *writes;
    struct read_cell *reads;
    unsigned shift;
};
extern struct tables tables_before;

/* A bit for each page that this launch has written; pages share bits. Most reads are of inputs,
 * and so need no look into the large table. */
extern uint8_t written_pages[(1 << PAGES_LOG2) / 8];

/* The cells of all global memory have one size: the smallest that this launch has needed. */
static inline unsigned shadow_global_shift(unsigned need)
{
    if (need < global_shift)
        global_shift = need; /* keys change with it, so what was known is forgotten */
    return global_shift;
}

static inline size_t slot_of(uintptr_t word)
{
    return word ^ (word >> WRITES_LOG2) * 0x9e3779b1u;
}

static inline struct cells shadow_global_cells(uintptr_t address, unsigned shift, bool write)
{
    const uintptr_t word = address >> shift, page = address >> PAGE_SHIFT;
    const size_t page_bit = (page ^ page >> PAGES_LOG2) & ((1u << PAGES_LOG2) - 1);
    const size_t slot = slot_of(word);
    struct cells c = {NULL, &global_reads[slot & ((1u << READS_LOG2) - 1)],
                      (uint64_t)word << 2 | shift};
    if (write)
        written_pages[page_bit / 8] |= (uint8_t)(1u << page_bit % 8);
    if (written_pages[page_bit / 8] >> page_bit % 8 & 1)
        c.write = &global_writes[slot & ((1u << WRITES_LOG2) - 1)];
    if (c.write && c.write->key != c.key) {
        if (write)
            *c.write = (struct write_cell){.key = c.key};
        else
            c.write = NULL;
    }
    return c;
}

/* early.c: the first block of the launch before, while one runs that may meet it. */
extern uint32_t first_beside;

/* order.c */
extern uint32_t first_block;   /* of this launch */
uint32_t order_imagined(void); /* a block that never ran, of a launch before the next one */
void order_launch(void);
void order_block(void);
void order_turn(void);
uint32_t order_oldest(void); /* the first block of the running block's cluster */
bool order_has_begun(const struct warp *w, unsigned member); /* does the warp know that? */

/* An access to the shared memory of another block of the cluster. */
struct far_access {
    const struct warp *w;
    unsigned lane, member;
    uint32_t clock; /* 0: there was none */
    uintptr_t pc, home;
    enum stop why;
};
void order_far(const struct warp *w, unsigned lane, unsigned owner);
const struct far_access *order_unseen(void);
struct stamp order_asked(const struct bulk_copy *c);
void order_landed(const struct bulk_copy *c, struct stamp *stamp);
struct stamp order_stamp(const struct warp *w, uintptr_t pc, bool atomic);
uintptr_t order_pc(uint32_t pc); /* the code address of a stamp's `pc` */
void order_atomic(const struct stamp *now, uintptr_t address);
bool order_by_sync(const struct stamp *then, const struct stamp *now);
bool order_fenced(const struct stamp *then, const struct stamp *now); /* for a bulk copy */
int order_in_program(const struct stamp *a, const struct stamp *b);

/* findings.c: gathers what is found, and tells of it when the launch ends. */
enum act { ACT_READ, ACT_WRITE, ACT_ATOMIC, ACT_COPY };

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
    RACE_AT_ONCE,     /* one instruction stores to one place by many threads: no barrier helps */
    RACE_IN_BLOCK,    /* a barrier helps */
    RACE_OF_BLOCKS,   /* nor does it here */
    RACE_OF_COPY,     /* a bulk copy has not arrived, for all that the thread knows */
    RACE_OF_PROXY,    /* a bulk copy may overtake a store: it lacks a fence */
    RACE_OF_LAUNCHES, /* the launch before has not ended, for all that it knows */
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
