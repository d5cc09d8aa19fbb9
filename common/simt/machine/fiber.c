/* SPDX-License-Identifier: MIT */
/*
 * fiber.c - each lane is a fiber: a function that runs on its own stack and can stop in the middle.
 * The stacks are allocated once and serve every block of every launch; a team that is larger than
 * any before allocates new ones.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "inside.h"

#if !defined(__x86_64__) && !defined(__aarch64__)
#define SIMT_UCONTEXT
#endif
#ifdef SIMT_UCONTEXT
#include <ucontext.h>
#endif

enum {
    GUARD_BYTES = 64 << 10, /* a whole page on every system: some have 64 KiB pages */
    /* If all stacks began at the same offset in a page and in 64 pages, they would share a few sets
     * of the processor's cache and TLB. So each one begins a page and three cache lines lower than
     * the previous one. */
    SHIFT_BYTES = 4096 + 192,
    MOST_SHIFT_BYTES = 64 << 10,
    STACK_BYTES = GUARD_BYTES + (FIBER_KIB << 10) + MOST_SHIFT_BYTES
};

static char *arena;
static unsigned stack_count, guard_count;
static void (*lane_main)(void);

/* The system allows some 65,000 mappings. A stack with a guard page may take two, so in a large
 * team only the first blocks have guards: the others run the same program. */
enum { MOST_GUARDS = 16 * MAX_THREADS };

static void make_stacks(unsigned count)
{
    const size_t bytes = (size_t)count * STACK_BYTES;
    if (arena)
        munmap(arena, stack_count * (size_t)STACK_BYTES);
    arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (arena == MAP_FAILED) {
        fprintf(stderr, "simt: no memory for %u thread stacks\n", count);
        exit(1);
    }
    stack_count = count;
    guard_count = 0;
    sim.stacks_low = (uintptr_t)arena;
    sim.stacks_bytes = bytes;
}

void fiber_reserve(unsigned stacks)
{
    if (stacks > stack_count)
        make_stacks(stacks < MAX_THREADS ? MAX_THREADS : stacks);
}

/* Since 6.13 Linux can close pages without a mapping of their own, which is faster. An emulated one
 * may agree and do nothing: then the first guard can be read. */
static void make_guard(char *stack)
{
    enum { POPULATE_READ = 22, GUARD_INSTALL = 102 };
    static bool installs;
    if (guard_count == 0)
        installs = madvise(stack, GUARD_BYTES, GUARD_INSTALL) == 0 &&
                   madvise(stack, GUARD_BYTES, POPULATE_READ) != 0;
    if (!installs || madvise(stack, GUARD_BYTES, GUARD_INSTALL) != 0)
        mprotect(stack, GUARD_BYTES, PROT_NONE);
}

void fiber_init(void (*start)(void), unsigned stacks)
{
    lane_main = start;
    fiber_reserve(stacks);
    for (; guard_count < stacks && guard_count < MOST_GUARDS; guard_count++)
        make_guard(arena + (size_t)guard_count * STACK_BYTES);
}

/* A large team returns the memory that it has touched. */
void fiber_end(void)
{
    if (stack_count > MOST_GUARDS)
        madvise(arena, stack_count * (size_t)STACK_BYTES, MADV_DONTNEED);
}

/* Which lane runs, and which stack is private: see is_local(). */
static void select_lane(unsigned lane)
{
    sim.lane = lane;
    sim.local_low = sim.warp->stack[lane];
    sim.local_bytes = sim.local_arrays ? 0 : STACK_BYTES;
}

bool fiber_owns(const struct warp *w, unsigned lane, uintptr_t address)
{
    return address - w->stack[lane] < STACK_BYTES;
}

#ifdef SIMT_UCONTEXT

/* Slow, but runs anywhere: `sp` holds the address of a context at the top of the stack. */
static ucontext_t scheduler;

void simt_switch(void **save_sp, void *load_sp)
{
    ucontext_t *save = save_sp == &sim.scheduler_sp ? &scheduler : *save_sp;
    *save_sp = save;
    swapcontext(save, load_sp);
}

void fiber_reset(struct warp *w, unsigned lane)
{
    const unsigned thread = w->first_stack + lane;
    char *stack = arena + (size_t)thread * STACK_BYTES + GUARD_BYTES;
    const size_t bytes = STACK_BYTES - GUARD_BYTES - sizeof(ucontext_t) - 64;
    ucontext_t *c = (ucontext_t *)(((uintptr_t)stack + bytes) / 64 * 64);
    getcontext(c);
    c->uc_stack.ss_sp = stack;
    c->uc_stack.ss_size = bytes - 64 - thread * SHIFT_BYTES % MOST_SHIFT_BYTES;
    makecontext(c, lane_main, 0);
    w->stack[lane] = (uintptr_t)arena + (size_t)thread * STACK_BYTES;
    w->sp[lane] = c;
}

#else

/* Lays out a new stack as if the lane had just called simt_switch() at its start. */
void fiber_reset(struct warp *w, unsigned lane)
{
    const unsigned thread = w->first_stack + lane;
    char *stack = arena + (size_t)thread * STACK_BYTES;
    void **top = (void **)(stack + STACK_BYTES - 64 - thread * SHIFT_BYTES % MOST_SHIFT_BYTES);
#ifdef __x86_64__
    *--top = NULL; /* keeps the stack aligned as after a call */
    *--top = (void *)(uintptr_t)lane_main;
    top -= 6; /* the registers that simt_switch() restores */
#else
    top -= 20;
    top[11] = (void *)(uintptr_t)lane_main; /* x30, the return address */
#endif
    w->stack[lane] = (uintptr_t)stack;
    w->sp[lane] = top;
}

#endif

void fiber_enter(unsigned lane)
{
    select_lane(lane);
    simt_switch(&sim.scheduler_sp, sim.warp->sp[lane]);
}

void fiber_leave(void)
{
    struct warp *w = sim.warp;
    simt_switch(&w->sp[sim.lane], sim.scheduler_sp);
}
