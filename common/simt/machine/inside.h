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
bool is_behind(const struct warp *w, int a, const struct warp *v, int b);

/* shuffle.c */
uint32_t warp_op_execute(struct warp *w, unsigned lane);
uint32_t warp_op_last_call(struct warp *w);

/* leave.c */
void lane_left(struct warp *w, unsigned lane);
uint32_t lanes_past(const struct warp *w, struct spot at);

/* barrier.c */
bool barrier_release(unsigned warps);

/* signals.c */
uintptr_t signal_pc(void); /* in a signal's handler: where the program stands, 0 if unknown */

/* clock.c */
void clock_launch(void);
void clock_block(void); /* a block begins */
void clock_launch_end(void);
bool clock_goes_on(const struct warp *w, unsigned lane, uintptr_t pc); /* sim.late is set */

#endif
