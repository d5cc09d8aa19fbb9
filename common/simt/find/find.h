/* SPDX-License-Identifier: MIT */
/*
 * find.h - what is wrong with a kernel: accesses that it must not make, races, reads of unwritten
 * memory; and the messages that report it.
 *
 * There are two kinds. A violation ends the launch before the bad access lands. A finding is
 * reported once for each place in the program, and the launch continues. After either the process
 * exits with 1.
 *
 *   print.c     how a message begins and ends; violations
 *   access.c    may these lanes touch these addresses?
 *   buffers.c   the parts of an allocation that a kernel may touch, if the host has named them
 *   race.c      two accesses to one word, one of them a write, that nothing orders
 *   order.c     which of two accesses comes first for sure: by a barrier, __syncwarp, a fence
 *   shadow.c    what is remembered about each word: its last writer, its last readers
 *   queued.c    what queued work does with memory that the host may use as well
 *   early.c     a launch that may start while the previous one still runs
 *   findings.c  the messages about races and unwritten memory; suggestion.c how to fix them
 *
 * `machine` reports every instruction to this part, before the instruction takes place. `api`
 * reports the memory that the host allocates or writes. This part owns the shadows and the exit
 * status of the process; it reads the machine's state and changes only `sim.error` and
 * `sim.conflicting`.
 */
#ifndef SIMT_FIND_H
#define SIMT_FIND_H

#include "../state/state.h"

/* print.c. Before any other atexit(): what is registered later is printed first. */
void message_init(void);
/* Makes the process exit with 1, with `why` in its last lines. */
void message_fail(const char *why);

/* From now on `listen` is called with each message about a kernel, once it is printed. */
void message_listen(void (*listen)(const struct found *found));

/* Prints a message and ends the launch; the lane must then leave. The first line of `format` is
 * what is wrong; others begin with four spaces. */
void violation(const struct warp *w, unsigned lane, cudaError_t error, uintptr_t pc,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

/* "thread (1,0,0) and 31 more", for a message. */
void threads_text(char *out, size_t bytes, struct thread s, unsigned count);

/* access.c. The region of the last lane's address; NULL after a violation: nothing may land. */
const struct region *access_check(const struct warp *w, uint32_t group);
void access_block_left(void); /* the running one: do others still need its shared memory? */
void access_by_host(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc);
void access_crashed(uintptr_t address, int stores, uintptr_t pc); /* by host code; -1: not known */

/* race.c. The course of a launch, and a group's load, store or atomic, which is legal. */
void race_launch(void);
void race_block(void); /* the running one begins */
void race_turn(void);  /* another block of the team runs */
void race_block_end(void);
void race_launch_end(void);                      /* reports what was found */
void race_expect(uintptr_t address, bool write); /* prefetch: global memory */
void race_memory(const struct warp *w, uint32_t group);
void race_landed(const struct bulk_copy *c); /* it has moved its bytes */
void race_stored(void); /* the running lane is in sim.conflicting, and has stored */

/* findings.c. The running lane reads a local variable in this line, and nobody gave it a value. */
void finding_no_start(const char *name, unsigned line, uintptr_t pc);

/* order.c. What orders accesses. */
void order_barrier(void);
void order_warp(const struct warp *w, uint32_t mask); /* these lanes have synchronized */
void order_step(const struct warp *w);                /* a shuffle or a vote: it orders nothing */
void order_fence(const struct warp *w, bool device);  /* else for its own block only */
void order_fence_proxy(const struct warp *w);         /* for bulk copies that follow */
/* A warp arrives at a memory barrier, given by its home, or at a cluster's, given by a small
 * number; or it has waited for it, and acquires what the whole cluster or only its own block sent.
 * A barrier that is initialized again forgets everything. order_grid: all blocks of the team have
 * synchronized. */
void order_arrive(const struct warp *w, uintptr_t barrier);
void order_started(const struct warp *w, uintptr_t barrier); /* only that the block has started */
void order_acquire(const struct warp *w, uintptr_t barrier, bool cluster);
void order_open(uintptr_t barrier); /* all have arrived: waiting warps acquire from now on */
void order_forget(uintptr_t barrier);
void order_grid(void);

/* shadow.c. A shadow belongs to a region; whoever removes the region frees it. */
struct shadow *shadow_of_array(size_t bytes);      /* for shared memory */
struct shadow *shadow_of_allocation(size_t bytes); /* nothing in it is written yet */
struct shadow *shadow_of_host_memory(void);
void shadow_free(struct shadow *s);
void shadow_host_wrote(const void *to, size_t bytes);
void shadow_copied(const void *to, const void *from, size_t bytes);
/* How many consecutive bytes were never written, and where. Leaves out what may be padding of
 * structs: fewer bytes than an alignment, again and again. 0: there are none. */
size_t shadow_blank(const void *from, size_t bytes, size_t *first);

/* queued.c. Queued work touches bytes of a region, which may be NULL; then, that the host has
 * waited. */
void queued_touch(const struct region *r, uintptr_t low, size_t bytes, bool store, uintptr_t pc);
void queued_is_done(void);
void queued_fence(void);     /* a kernel has executed a system-wide fence */
uint32_t queued_waits(void); /* how often the host has waited */
/* A launch of the program; and the last one that the host has not yet waited for, or 0. */
void queued_launch(uintptr_t pc);
uintptr_t queued_last_launch(void);

/* early.c. May the next launch of this stream overlap the last one? Ask before anything else is
 * queued. early_launched: a launch of this stream lets the next one start. early_part: something
 * separates the two. */
bool early_overlaps(const void *stream);
void early_launched(const void *stream);
void early_part(void);

#endif
