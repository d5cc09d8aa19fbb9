/* SPDX-License-Identifier: MIT */
/*
 * trap.c - a kernel that stops itself, or that the processor stops: assert and __trap, an index
 * that is too large, a stack that is used up.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "../find/find.h"
#include "inside.h"

/* ---- what a kernel asks for ---- */

void simt_trap(const char *what)
{
    if (!in_kernel())
        abort();
    violation(sim.warp, sim.lane, cudaErrorAssert, CALLER, "%s", what);
    fiber_leave();
}

#ifdef __GLIBC__
/* assert() of C calls this. In a kernel it ends the launch, on the host the process. */
_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *func)
{
    if (!in_kernel()) {
        fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, func, what);
        abort();
    }
    violation(sim.warp, sim.lane, cudaErrorAssert, CALLER, "assertion failed: %s", what);
    for (;;)
        fiber_leave();
}
#endif

/* ---- an index that is too large ---- */

/* The compiler compares each index of an array with the array's size, and calls the function below
 * when it is too large: so an index that runs from one shared array into the next is found too.
 * These are what it passes, layouts of the undefined behaviour sanitizer. */
struct bounds_type {
    uint16_t kind;
    uint16_t info; /* of an integer: 1 if signed, plus twice the logarithm of its bits */
    char name[];   /* 'float [256]' */
};

struct bounds_site {
    const char *file;
    uint32_t line, column;
    const struct bounds_type *array;
    const struct bounds_type *index;
};

/* A small index arrives in the low bits of the argument. */
static int64_t index_value(const struct bounds_type *type, uintptr_t value)
{
    const unsigned bits = 1u << (type->info >> 1);
    if (bits >= 64)
        return (int64_t)value;
    const uint64_t low = value & ((1ull << bits) - 1);
    const bool negative = (type->info & 1) && low >> (bits - 1);
    return negative ? (int64_t)low - (int64_t)(1ull << bits) : (int64_t)low;
}

/* gcc writes 'float [8]' where clang writes 'float[8]': we write as the source has it. */
static const char *array_name(const char *name)
{
    static char text[128];
    const char *blank = strstr(name, " [");
    if (blank)
        snprintf(text, sizeof text, "%.*s%s", (int)(blank - name), name, blank + 1);
    return blank ? text : name;
}

_Noreturn void __ubsan_handle_out_of_bounds_abort(const struct bounds_site *site, uintptr_t index)
{
    const long long i = index_value(site->index, index);
    if (!in_kernel()) {
        fprintf(stderr, "simt: index %lld outside of %s, %s:%u\n", i, array_name(site->array->name),
                site->file, site->line);
        exit(1);
    }
    violation(sim.warp, sim.lane, cudaErrorIllegalAddress, CALLER, "index %lld outside of %s", i,
              array_name(site->array->name));
    for (;;)
        fiber_leave();
}

/* ---- signals of the processor ---- */

/* They tell what the hooks cannot see: a stack that runs over into the pages below it, or a bad
 * address in a library function. The handler needs a stack of its own, as the lane's may be used
 * up. */
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
        return; /* the host's own: the instruction is tried again, and ends the process */
    const uintptr_t address = (uintptr_t)info->si_addr;
    const uintptr_t pc = signal_pc(context) + 1; /* places are those of return addresses */
    if (sim.probing)                             /* the kernel's own frame is too large */
        sim.kernel = symbols_kernel(pc);
    if (address - sim.stacks_low < sim.stacks_bytes)
        violation(
            sim.warp, sim.lane, cudaErrorLaunchFailure, pc,
            "stack overflow\n    local variables and calls of the thread need more than %d KiB",
            (int)FIBER_KIB);
    else
        violation(sim.warp, sim.lane, cudaErrorIllegalAddress, pc,
                  "access to address 0x%zx, which is no memory", (size_t)address);
    exit(1);
}

void trap_signals(void)
{
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}
