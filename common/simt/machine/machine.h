/* SPDX-License-Identifier: MIT */
/*
 * machine.h - runs kernels: lanes in lockstep, warps in turns, blocks one after another, or in
 * turns if they wait for each other. README.md explains how a warp executes, and in which order to
 * read these files.
 *
 *   hooks.c     where a kernel's code enters: the compiler makes each load and store stop its lane
 *   calls.c     ... and so do the calls of CUDA's headers: atomics, shuffles, votes
 *   fiber.c     a stack for each lane; switch.S switches from one lane to the next
 *   warp.c      chooses which stopped lanes form the next warp instruction, and executes it
 *   shuffle.c   shuffles, votes, sums: how lanes exchange values
 *   barrier.c   __syncthreads
 *   arrive.c    ... clusters, memory barriers, copies
 *   local.c     local arrays that are memory on a GPU
 *   wait.c      waits for others: for the blocks of a cluster or a grid, for a memory barrier
 *   mbarrier.c  memory barriers, which count threads and bytes
 *   bulk.c      copies that the hardware makes meanwhile
 *   leave.c     which lanes have left the kernel before these places, and which have passed them
 *   block.c     the warps of a block between barriers, and the blocks of a grid
 *   clock.c     a kernel that does not end
 *   signals.c   what makes the processor raise a signal
 *   trap.c      a kernel that stops itself, or is stopped by a compiler's check
 *   numbers.c   16-bit numbers, and functions that C lacks
 *
 * `api` calls the functions below. A program's code calls the hooks, and the functions of
 * include/simt/abi.h. This part owns the fibers; it changes the state of `state`, and reports each
 * instruction to `count` and `find` before it takes place.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "../state/state.h"

/* Call it before anything that inspects memory. Only the first call has an effect. */
void machine_init(void);

/* Stacks for so many threads at once. Later launches reserve what they need beyond that. */
void machine_reserve(unsigned threads);

/* Prepares to call `call(args)` for each thread of the grid, whose shape must be legal. Returns the
 * kernel that it would run. */
const struct kernel *machine_load(uint3 grid, uint3 block, void (*call)(void *), void *args,
                                  const char *name); /* NULL: not known */

/* Which blocks run together: those of a cluster; all, in a cooperative launch; or all, and the last
 * one gets the first turn. */
enum team { TEAM_CLUSTER, TEAM_GRID, TEAM_LAST_FIRST };

/* Then one of these. An error is that of a violation, which has ended the launch early. The grid is
 * a whole number of clusters. While an `early` launch runs, the previous one may still be
 * running. */
cudaError_t machine_run(size_t shared_bytes, uint3 cluster, enum team team, bool early);
void machine_unload(void);

/* Ends the process if the launcher that simt_watch() watches runs for too long: called before each
 * launch, with its place. */
void clock_host(uintptr_t pc);

#endif
