/* SPDX-License-Identifier: MIT */
/*
 * count.h - what a launch did, in the numbers that Nsight Compute would show.
 *
 *   wavefronts.c  what one request costs: wavefronts of shared memory, sectors of global memory
 *   counters.c    adds the requests of a launch up
 *   launches.c    records each launch, and the sums of all; SIMT_COUNTERS=file, SIMT_REPORT=1
 *   source.c      the same by source line; SIMT_REPORT=source
 *   trace.c       all warp instructions of selected blocks; SIMT_TRACE=file
 *   trace_file.c  ... and writes them
 *
 * `machine` calls these functions, each before the instruction takes place; a program may query the
 * sums through include/simt/inspect.h. This part owns the counts and the reports. It reads the
 * state of the machine, and changes nothing.
 */
#ifndef SIMT_COUNT_H
#define SIMT_COUNT_H

#include "../state/state.h"

/* A launch begins and ends; in between, the block sim.block_idx starts. */
void counters_begin(void);
void counters_block(void);
void counters_turn(void); /* another block of the team runs: sim.block_idx */
void counters_end(void);

/* The lanes of a group make a load, store or atomic, all in one space: one request of their
 * warp. */
void counters_memory(const struct warp *w, uint32_t group, enum stop why, enum space space);

/* The same of local arrays, where w->address is the place in the array of each lane. */
void counters_local(const struct warp *w, uint32_t group, bool load);

/* The running lane names a pack in memory: packs.c. */
void counters_pack(const struct warp *w, unsigned lane, uintptr_t base, uint32_t bytes);

/* The waiting lanes pass __syncthreads(), or __syncthreads_count(), which is `counting`; a group
 * passes a shuffle, a vote or __syncwarp. */
void counters_barrier(const struct warp *w, bool counting);
void counters_arrive(const struct warp *w, uint32_t group);
void counters_warp_op(const struct warp *w, uint32_t group);

/* These lanes call __activemask(). */
void counters_active_mask(const struct warp *w, uint32_t group);

/* A mistake has been reported in this launch. */
void trace_found(const struct found *f);

/* These lanes run on together now; later, each has reached its next stop. */
void counters_move_on(uint32_t group);
void counters_paths(const struct warp *w);

#endif
