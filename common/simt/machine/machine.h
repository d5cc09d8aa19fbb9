/* SPDX-License-Identifier: MIT */
/*
 * machine.h - runs kernels: lanes in lockstep, warps in turns, blocks one after another, or in
 * turns where they wait for each other. README.md tells how a warp executes, and in which order to
 * read these files.
 *
 *   hooks.c     where a kernel's code enters: each load and store stops its lane, by the compiler
 *   calls.c     ... and so does what CUDA's headers call: atomics, shuffles, votes
 *   fiber.c     a stack for each lane; switch.S changes from one lane to the next
 *   warp.c      chooses which stopped lanes form the next warp instruction, and executes it
 *   shuffle.c   shuffles, votes, sums: what lanes learn from each other
 *   barrier.c   __syncthreads
 *   arrive.c    ... clusters, memory barriers, copies
 *   meet.c      what lanes of a block wait for that others do: the blocks of a cluster or a grid
 *   mbarrier.c  memory barriers, which count threads and bytes
 *   bulk.c      copies that the hardware does meanwhile
 *   leave.c     who has left the kernel before they came to these places, and who has passed them
 *   block.c     the warps of a block between barriers, and the blocks of a grid
 *   clock.c     a kernel that does not end
 *   signals.c   what the processor stops
 *   trap.c      a kernel that stops itself, or that a check of the compiler stops
 *   numbers.c   numbers of 16 bits, and functions that C does not have
 *
 * `api` calls what stands below. A program's code calls the hooks, and the functions of
 * include/simt/abi.h. This part owns the fibers; it moves the state of `state`, and tells `count`
 * and `find` of each instruction before it takes place.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "../state/state.h"

/* Before anything that looks at memory. Only the first call does something. */
void machine_init(void);

/* Gets ready to call `call(args)` for each thread of the grid, whose shape must be legal. Returns
 * the kernel that it would run. */
const struct kernel *machine_load(uint3 grid, uint3 block, void (*call)(void *), void *args);

/* Which blocks run together: those of a cluster; all, in a cooperative launch; or all, and the last
 * one has the first turn. */
enum team { TEAM_CLUSTER, TEAM_GRID, TEAM_LAST_FIRST };

/* Then one of these. The error is that of a violation: then the launch has ended early. The grid is
 * whole clusters. While an early one runs, the launch before it may still run. */
cudaError_t machine_run(size_t shared_bytes, uint3 cluster, enum team team, bool early);
void machine_unload(void);

/* Ends the process if the launcher that simt_watch() watches goes on for too long: called before
 * each launch, with its place. */
void clock_host(uintptr_t pc);

#endif
