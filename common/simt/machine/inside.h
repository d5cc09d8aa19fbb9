/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share; machine.h is for all others.
 */
#ifndef SIMT_MACHINE_INSIDE_H
#define SIMT_MACHINE_INSIDE_H

#include "machine.h"

/* Where the function that uses this was called from: the lane's place in the program. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* fiber.c. The one that runs is sim.lane of sim.warp. */
void fiber_init(void (*start)(void)); /* where each fiber begins; it must not return */
void fiber_reset(struct warp *w, unsigned lane);
void fiber_enter(unsigned lane); /* scheduler to lane */
void fiber_next(unsigned lane);  /* lane to lane */
void fiber_leave(void);          /* lane to scheduler */

/* warp.c */
void lane_stop(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc);
void lane_yield(void);
bool step_spend(const struct warp *w, unsigned lane);
void warp_run(struct warp *w);

/* shuffle.c */
uint32_t warp_op_execute(struct warp *w, unsigned lane);
void warp_op_deadlock(const struct warp *w);

/* barrier.c */
bool barrier_release(unsigned warps);

/* trap.c */
void trap_signals(void);

#endif
