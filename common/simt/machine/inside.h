/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of this part share; machine.h is for all other parts.
 */
#ifndef SIMT_MACHINE_INSIDE_H
#define SIMT_MACHINE_INSIDE_H

#include "machine.h"

/* Where the function that uses this was called from: the lane's place in the program. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* fiber.c. The running lane is sim.lane of sim.warp. */
/* `start` is where each fiber begins; it must not return. `count` stacks, allocated while no lane
 * runs. */
void fiber_init(void (*start)(void), unsigned stacks);
void fiber_reserve(unsigned stacks);
void fiber_end(void);
void fiber_reset(struct warp *w, unsigned lane);
void fiber_enter(unsigned lane);                                         /* scheduler to lane */
void fiber_leave(void);                                                  /* lane to scheduler */
bool fiber_owns(const struct warp *w, unsigned lane, uintptr_t address); /* in its stack? */
void simt_switch(void **save_sp, void *load_sp);                         /* switch.S */

/* For a lane: is it in its own stack? is_local() says no if accesses there count, see local.c. */
static inline bool is_private(const volatile void *p)
{
    return is_local(p) || (sim.local_arrays && fiber_owns(sim.warp, sim.lane, (uintptr_t)p));
}

/* Lane to lane, the most frequent step of all. See select_lane() in fiber.c. */
static inline void fiber_next(unsigned lane)
{
    struct warp *w = sim.warp;
    const unsigned self = sim.lane;
    sim.lane = lane;
    sim.local_low = w->stack[lane];
    if (lane != self)
        simt_switch(&w->sp[self], w->sp[lane]);
}

/* warp.c */
void lane_stop(enum stop why, uintptr_t address, uint32_t bytes, uintptr_t pc);
void lane_yield(void);
bool step_spend(const struct warp *w, unsigned lane);
void warp_run(struct warp *w);
bool is_behind(const struct warp *w, int a, const struct warp *v, int b);

/* turn.c: lanes that go in circles give way to the others of their warp. */
void turn_watch(struct warp *w, uint32_t group); /* before an access; other lanes are ready */
static inline uint32_t turn_of(const struct warp *w)
{
    return w->ready & w->turn ? w->ready & w->turn : w->ready;
}

/* shuffle.c */
uint32_t warp_op_execute(struct warp *w, unsigned lane);
uint32_t warp_op_last_call(struct warp *w);

/* local.c: a warp starts; a lane has returned from a call; which lanes of a group access their own
 * stacks? That is done, and counted if it must be. */
void local_reset(struct warp *w);
void local_return(struct warp *w, unsigned lane);
uint32_t local_execute(struct warp *w, uint32_t group);

/* leave.c */
void lane_left(struct warp *w, unsigned lane);
uint32_t lanes_past(const struct warp *w, struct thread at);

/* barrier.c */
bool barrier_release(struct block *b, unsigned warps);

/* wait.c */
uint32_t wait_execute(struct warp *w, uint32_t group);
bool wait_is_over(struct warp *w); /* the wait of some parked lane is over: it is ready */
void barriers_open(void);
bool some_waited(unsigned first, unsigned blocks); /* for the previous launch */
void waits_forever(void); /* no block of the team can run, and some have not exited */

/* mbarrier.c: what a memory barrier counts. It is identified by its home, see memory_home(). */
enum { MBARRIER_MOST = (1 << 20) - 1 };
struct mbarrier {
    unsigned phase;
    int bytes;          /* that are missing */
    int count, missing; /* threads */
};
struct mbarrier mbarrier_get(uintptr_t home);
void mbarrier_set(uintptr_t home, struct mbarrier b); /* this may complete its phase */
bool mbarrier_is_initialized(uintptr_t home);
void mbarrier_count(uintptr_t home, uint32_t bytes);         /* so many bytes have arrived */
void mbarrier_text(uintptr_t home, char *out, size_t bytes); /* what is missing */
#define MBARRIER_NOT_INITIALIZED                                                                   \
    "memory barrier that is not initialized\n    let one thread init it, then call "               \
    "__syncthreads()"

/* bulk.c */
void copy_start(struct warp *w, uint32_t group);
bool copies_complete(uintptr_t barrier, unsigned phase);
void copies_of_thread(unsigned thread, unsigned before);
void copies_end(void); /* the running block has exited */

/* signals.c */
uintptr_t signal_pc(void); /* in a signal handler: where the program is, 0 if unknown */

/* clock.c */
void clock_launch(void);
void clock_team(unsigned blocks); /* so many blocks start */
void clock_launch_end(void);
bool clock_goes_on(const struct warp *w, unsigned lane, uintptr_t pc); /* sim.late is set */

#endif
