/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share; find.h is for all other parts.
 */
#ifndef SIMT_FIND_INSIDE_H
#define SIMT_FIND_INSIDE_H

#include "find.h"

#include <stdio.h>

/* print.c. A message is what is printed to `message` between begin and end; after one the process
 * exits with 1. Its first line says what and where; the others begin with four spaces. */
extern FILE *message;
void message_begin(void);
void message_end(void);
void message_access(struct found_access access); /* the access it is about; maybe called twice */
extern struct found message_found;               /* the rest of what a listener gets */
void found_one(void);                            /* counts mistakes of kernels, reported or not */
/* Findings wait for the end of the launch. A violation reports them first, and so does the exit. */
void message_findings(void (*report)(void), void (*at_exit)(void));
/* The first two lines of a message: what this lane does wrong, and where. */
void message_violation(const struct warp *w, unsigned lane, uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Printed after all messages, as "simt: failed: ...": why the process exits with 1. */
void message_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* When a thread made an access, and which, in 16 bytes: there are three of them for each word. */
struct epoch {
    uint32_t block;         /* counts all blocks since the program started, from 1; 0: no access */
    uint32_t clock : 29;    /* of its warp: advances with each memory instruction and __syncwarp */
    uint32_t width : 2;     /* of an atomic: 0 up to 4 bytes, 1: 8, 2: 16 */
    uint32_t load : 1;      /* an atomic that only loads */
    uint32_t pc;            /* see order_pc() */
    uint32_t interval : 19; /* the number of barriers that its block had passed */
    uint32_t thread : 10;
    uint32_t atomic : 1;
    uint32_t narrow : 1; /* an atomic of block scope */
    uint32_t copy : 1;   /* a bulk copy that the thread has started */
};

/* The last write of a word. */
struct write_cell {
    uint64_t key;
    struct epoch by;
};

/* Two of its readers: a writer can be only one of them, so the other is left to race with it. */
struct read_cell {
    uint64_t key;
    struct epoch by[2];
};

struct shadow {
    struct write_cell *writes; /* of a shared array: a cell per 1 << shift bytes */
    struct read_cell *reads;
    unsigned shift;              /* 2, until a narrower access */
    uint8_t *written;            /* of an allocation: a bit per byte; NULL if all is written */
    bool fresh;                  /* managed or pinned: what has FRESH_WORD was never written */
    uint8_t *cut;                /* a bit per 4 bytes of which a host call wrote only some */
    struct queued_piece *queued; /* of memory shared with the host, see queued.c; else NULL */
};

/* Where the cells of an address are. `read` may be the cell of another address: see its key. */
struct cells {
    struct write_cell *write; /* NULL: never written */
    struct read_cell *read;
    uint64_t key;
};

/* buffers.c */
bool buffers_exclude(const struct region *r, uintptr_t address, uint32_t bytes);
bool buffer_describe(const struct region *r, uintptr_t address, uint32_t bytes);
bool buffer_element(const struct region *r, uintptr_t address, uint32_t bytes);

/* queued.c */
void queued_request(const struct region *r, const struct warp *w, uint32_t group);
void queued_host_access(const struct region *r, enum stop why, uintptr_t address, uint32_t bytes,
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

/* The same for the previous launch, while the next one may overlap it. */
struct tables {
    struct write_cell *writes;
    struct read_cell *reads;
    unsigned shift;
};
extern struct tables tables_before;

/* A bit for each page that this launch has written; pages share bits. Most reads are of inputs, and
 * so skip the lookup in the large table. */
extern uint8_t written_pages[(1 << PAGES_LOG2) / 8];

/* The cells of all global memory have the same size: the smallest that this launch has needed. */
static inline unsigned shadow_global_shift(unsigned need)
{
    if (need < global_shift)
        global_shift = need; /* this changes the keys, so older cells are forgotten */
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

/* early.c: the first block of the previous launch, while the next one may overlap it. */
extern uint32_t first_previous;

/* order.c */
extern uint32_t first_block;  /* of this launch */
uint32_t order_assumed(void); /* a block of an assumed previous launch */
void order_launch(void);
void order_block(void);
void order_turn(void);
uint32_t order_oldest(void); /* the first block of the running block's cluster */
bool order_has_started(const struct warp *w, unsigned member); /* does the warp know that it has? */

/* An access to the shared memory of another block of the cluster. */
struct far_access {
    const struct warp *w;
    unsigned lane, member;
    uint32_t clock; /* 0: no access */
    uintptr_t pc, home;
    enum stop why;
};
void order_far(const struct warp *w, unsigned lane, unsigned owner);
const struct far_access *order_unseen(void);
struct epoch order_under_way(const struct bulk_copy *c);
void order_landed(const struct bulk_copy *c, struct epoch *epoch);
struct epoch order_epoch(const struct warp *w, uintptr_t pc, bool atomic);
uintptr_t order_pc(uint32_t pc); /* the code address of an epoch's `pc` */
void order_atomic(const struct epoch *now, uintptr_t address);
bool order_by_sync(const struct epoch *then, const struct epoch *now);
bool order_fenced(const struct epoch *then, const struct epoch *now); /* before a bulk copy */
bool order_has_atomic(void);
bool order_by_atomic(const struct epoch *then, const struct epoch *now);
int order_in_program(const struct epoch *a, const struct epoch *b);

/* findings.c: collects what is found, and reports it when the launch ends. */
enum act { ACT_READ, ACT_WRITE, ACT_ATOMIC, ACT_COPY };

struct conflict {
    struct epoch then, now;
    enum act was, is;
    bool one_instruction;
    uintptr_t address;
    uint32_t bytes;
    const struct region *region;
    uint64_t when; /* steps that the block had executed */
};

void finding_race(const struct conflict *c);
void finding_unwritten(const struct epoch *now, const struct region *r, uintptr_t address,
                       uint32_t bytes);
void findings_report(void);

enum { MOST_FINDINGS = 256 };

enum finding_kind {
    RACE_AT_ONCE,     /* many threads store to one address in one instruction: no barrier helps */
    RACE_IN_BLOCK,    /* a barrier helps */
    RACE_OF_BLOCKS,   /* a barrier does not help here */
    RACE_OF_COPY,     /* a bulk copy that the thread has not waited for */
    RACE_OF_PROXY,    /* a bulk copy that may overtake a store: a fence is missing */
    RACE_OF_LAUNCHES, /* with a previous launch that the thread has not waited for */
    UNWRITTEN,
    FINDING_KINDS
};

/* Two places of a kernel that race, or one that reads. */
struct finding {
    enum finding_kind kind;
    const struct kernel *kernel;
    uint32_t pc, then_pc; /* the second is reached later, or again in a loop */
    struct place at[2];   /* their lines, looked up when the launch ends */
    uint64_t times;
    bool across;              /* between threads of two warps */
    bool locked;              /* maybe, by atomics, but there may be no fence */
    bool fresh;               /* not reported yet */
    struct conflict conflict; /* an example, in the order of the program */
};

/* suggestion.c: how to fix all of these, which are of one kernel and kind. */
struct suggestion {
    char text[768]; /* the last lines of the message; all but the first are indented */
    char brief[128];
    bool across; /* needs a barrier of the whole block */
    const struct finding *example;
};
void suggestion_find(struct suggestion *r, const struct finding *const *group, size_t count);

#endif
