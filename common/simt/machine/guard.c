/* SPDX-License-Identifier: MIT */
/*
 * guard.c - what the hooks cannot see ends in a signal of the processor: a stack that runs over
 * into the pages below it, or a bad address in a library function. This makes a message of it.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "../state/state.h"

/* The handler needs a stack of its own, as the lane's may be used up. */
static char handler_stack[256 << 10];

static uintptr_t signal_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* The process cannot go on: the signal may have come in the middle of anything. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    signal(number, SIG_DFL);
    if (!in_kernel())
        return; /* the host's own fault: the instruction is tried again, and ends the process */
    size_t arena_bytes;
    const uintptr_t address = (uintptr_t)info->si_addr, arena = fiber_arena(&arena_bytes);
    const uintptr_t pc = signal_pc(context) + 1; /* places are those of return addresses */
    if (sim.probing)                             /* the kernel's own frame is too large */
        sim.kernel = symbols_kernel(pc);
    if (address - arena < arena_bytes)
        fault_lane(
            sim.warp, sim.lane, cudaErrorLaunchFailure, pc,
            "stack overflow\n    local variables and calls of the thread need more than %d KiB",
            (int)FIBER_KIB);
    else
        fault_lane(sim.warp, sim.lane, cudaErrorIllegalAddress, pc,
                   "access to address 0x%zx, which is no memory", (size_t)address);
    exit(1);
}

void guard_init(void)
{
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}
