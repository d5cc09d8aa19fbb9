/* SPDX-License-Identifier: MIT */
/*
 * find.h - what is wrong with a kernel: accesses that it may not do, races, reads of unwritten
 * memory; and the messages that tell of it.
 *
 * There are two kinds. A violation ends the launch before the bad access lands. A finding is told
 * once for each place of the program, and the launch goes on. After either the process exits 1.
 *
 *   message.c   how a message begins and ends; violations
 *   access.c    may these lanes touch these addresses?
 *   walls.c     the parts of an allocation that a kernel may touch, where the host has named them
 *   race.c      two accesses to one word, one of them a write, and no order between
 *   order.c     which of two accesses comes first for sure: by a barrier, __syncwarp, a fence
 *   shadow.c    what is remembered of each word: its last writer, its last readers
 *   queued.c    what queued work does with memory that the host may use as well
 *   early.c     a launch that may start while the one before it still runs
 *   findings.c  the messages of races and unwritten memory; remedy.c what mends them
 *
 * `machine` tells this part of every instruction, and must call it before the instruction takes
 * place. `api` tells it of memory that the host gives out or writes. It owns the shadows and the
 * status that the process exits with; it reads the machine's state and changes only `sim.error`
 * and `sim.meeting`.
 */
#ifndef SIMT_FIND_H
#define SIMT_FIND_H

#include "../state/state.h"

/* message.c. Before any other atexit(): what is registered later is printed first. */
void message_init(void);
/* The process will exit with 1, and its last lines say why. */
void message_fail(const char *why);

/* From now on `listen` is told of each message about a kernel, when it has been printed. */
void message_listen(void (*listen)(const struct found *found));

/* Prints a message and ends the launch; the lane must then leave. The first line of `format` is
 * what is wrong; others begin with four spaces. */
void violation(const struct warp *w, unsigned lane, cudaError_t error, uintptr_t pc,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

/* "thread (1,0,0) and 31 more", for a message. */
void threads_text(char *out, size_t bytes, struct spot s, unsigned count);

/* access.c. The region of the last lane's address; NULL after a violation: nothing may land. */
const struct region *access_check(const struct warp *w, uint32_t group);
void access_block_left(void); /* the one that runs: do others need its shared memory? */
void access_by_host(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc);

/* race.c. What happens in a launch, and a group's load, store or atomic: all of it is legal. */
void race_launch(void);
void race_block(void); /* the one that runs begins */
void race_turn(void);  /* another one of the team runs */
void race_block_end(void);
void race_launch_end(void);                      /* tells what was found */
void race_expect(uintptr_t address, bool write); /* soon, in global memory */
void race_memory(const struct warp *w, uint32_t group);
void race_landed(const struct bulk_copy *c); /* has moved its bytes */
void race_stored(void); /* the lane that runs is in sim.meeting, and has stored */

/* order.c. What orders accesses. */
void order_barrier(void);
void order_warp(const struct warp *w, uint32_t mask); /* these lanes have met */
void order_fence(const struct warp *w, bool device);  /* or for its own block only */
void order_fence_proxy(const struct warp *w);         /* bulk copies come after what is before it */
/* A warp arrives at a barrier of memory, by its home, or of a cluster, by a small number; or it has
 * waited for it, for what other blocks have sent too or not. A barrier that is set up anew knows
 * nothing. All blocks of the team have met. */
void order_give(const struct warp *w, uintptr_t barrier);
void order_begun(const struct warp *w, uintptr_t barrier); /* gives that it is there, no more */
void order_take(const struct warp *w, uintptr_t barrier, bool cluster);
void order_open(uintptr_t barrier); /* all have come: who waits takes from now on */
void order_forget(uintptr_t barrier);
void order_met(void);

/* shadow.c. A shadow belongs to a region; whoever removes the region frees it. */
struct shadow *shadow_of_array(size_t bytes);      /* of shared memory */
struct shadow *shadow_of_allocation(size_t bytes); /* nothing in it is written yet */
struct shadow *shadow_of_host_memory(void);
void shadow_free(struct shadow *s);
void shadow_host_wrote(const void *to, size_t bytes);
void shadow_copied(const void *to, const void *from, size_t bytes);
/* How many bytes in a row nobody has written, and where. Not what may be padding of structs: a few
 * bytes that come again and again. 0: there are none. */
size_t shadow_blank(const void *from, size_t bytes, size_t *first);

/* queued.c. Queued work touches bytes of a region, which may be NULL; and the host has waited. */
void queued_touch(const struct region *r, uintptr_t low, size_t bytes, bool store, uintptr_t pc);
void queued_is_done(void);
void queued_fence(void);     /* a kernel has fenced for the host as well */
uint32_t queued_waits(void); /* how often it has */
/* A launch of the program; and the last one that the host has not waited for, or 0. */
void queued_launch(uintptr_t pc);
uintptr_t queued_last_launch(void);

/* early.c. May the next launch of this stream meet one that has just been launched? Ask before
 * anything else is queued. A launch of this stream lets the next one start; something lies behind
 * it. */
bool early_meets(const void *stream);
void early_launched(const void *stream);
void early_part(void);

#endif
