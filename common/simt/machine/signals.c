/* SPDX-License-Identifier: MIT */
/*
 * signals.c - what makes the processor raise a signal: a kernel's bad instruction or address, a
 * stack overflow, and a crash of host code.
 */
#define _GNU_SOURCE
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "../find/find.h"
#include "inside.h"

/* They show what the hooks cannot see: a stack that overflows into the pages below it, or a bad
 * address in a library function; and where host code crashes. The handler needs its own stack,
 * because the one in use may be full. */
static char handler_stack[256 << 10];

/* The first frame of the program's own code, as a return address: one byte too far. */
static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *frame, void *data)
{
    int exact = 0; /* here it is the interrupted instruction itself */
    const uintptr_t pc = _Unwind_GetIPInfo(frame, &exact) + (exact != 0);
    if (!symbols_is_program(pc))
        return _URC_NO_REASON;
    *(uintptr_t *)data = pc;
    return _URC_END_OF_STACK;
}

uintptr_t signal_pc(void)
{
    uintptr_t pc = 0;
    _Unwind_Backtrace(visit_frame, &pc);
    return pc;
}

static const char *signal_name(int number)
{
    return number == SIGFPE    ? "an arithmetic error (SIGFPE)"
           : number == SIGILL  ? "an illegal instruction (SIGILL)"
           : number == SIGTRAP ? "an illegal instruction (SIGTRAP)"
           : number == SIGABRT ? "abort()"
                               : "access to unmapped memory";
}

/* The frames of the program's own code, innermost first. */
struct frames {
    struct place at[16];
    size_t count;
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *frame, void *data)
{
    struct frames *f = data;
    int exact = 0;
    const uintptr_t pc = _Unwind_GetIPInfo(frame, &exact) + (exact != 0);
    if (symbols_is_program(pc))
        f->at[f->count++].pc = pc;
    return f->count < sizeof f->at / sizeof *f->at ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static bool is_users(const struct place *p)
{
    return p->line != 0 && strncmp(p->file, "/usr/", 5) != 0;
}

/* Where host code is: the first frame that has a line, of the user's if there is one. A statically
 * linked library has none. */
static const char *host_place(char *out, size_t out_bytes)
{
    struct frames f = {.count = 0};
    size_t i = 0;
    _Unwind_Backtrace(add_frame, &f);
    places_find(f.at, f.count);
    while (i < f.count && !is_users(&f.at[i]))
        i++;
    for (i %= f.count ? f.count : 1; i < f.count && f.at[i].line == 0;)
        i++;
    return place_print(&f.at[i < f.count ? i : 0], out, out_bytes);
}

/* Whether the access that has crashed is a store; -1 if the processor does not say. */
static int is_store(const void *context)
{
#if defined(__x86_64__) && defined(__linux__)
    return (int)(((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1);
#else
    (void)context;
    return -1;
#endif
}

/* ---- a damaged heap ---- */

static uintptr_t abort_pc;

static int program_base(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    *(uintptr_t *)data = info->dlpi_addr;
    return 1;
}

/* malloc() has found its heap damaged and called abort(), again while the message was made. So
 * nothing here may allocate: a shell finds the line. */
static void on_second_abort(int number)
{
    char command[256];
    uintptr_t base = 0;
    signal(number, SIG_DFL);
    dl_iterate_phdr(program_base, &base);
    snprintf(command, sizeof command,
             "{ printf 'simt: abort() in host code at '; addr2line -i -e /proc/%d/exe 0x%zx | "
             "sed -n '$s,^'\"$PWD\"'/,,; $p'; "
             "echo '    the heap is damaged: some array was written past its end'; } >&2",
             (int)getpid(), (size_t)(abort_pc - 1 - base));
    if (system(command) == 0)
        raise(number);
}

static void report_host(int number, uintptr_t address)
{
    char place[4096];
    if (number == SIGABRT) {
        const struct sigaction again = {.sa_handler = on_second_abort, .sa_flags = SA_NODEFER};
        sigset_t abort_only;
        abort_pc = signal_pc();
        sigaction(SIGABRT, &again, NULL);
        sigemptyset(&abort_only);
        sigaddset(&abort_only, SIGABRT);
        sigprocmask(SIG_UNBLOCK, &abort_only, NULL); /* abort() of glibc 2.41 does not */
    }
    memory_init(shadow_of_array); /* knows the lines of the program */
    fflush(stdout);
    fprintf(stderr, "simt: %s in host code at %s\n", signal_name(number),
            host_place(place, sizeof place));
    if (number == SIGSEGV || number == SIGBUS)
        fprintf(stderr, "    address 0x%zx%s\n", (size_t)address,
                address < 4096 ? ", a null pointer" : "");
}

/* The process cannot continue: the signal may have come in the middle of anything. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    signal(number, SIG_DFL);
    const uintptr_t address = (uintptr_t)info->si_addr;
    uintptr_t pc = signal_pc();
    const bool segv = number == SIGSEGV || number == SIGBUS;
    if (!sim.warp && segv && pool_is_device(address))
        access_crashed(address, is_store(context), pc);
    if (!sim.warp) { /* host code: it happens again on return, and ends the process */
        report_host(number, address);
        return;
    }
    if (!pc)
        pc = sim.warp->pc[sim.lane]; /* where the lane last stopped */
    if (sim.probing)                 /* the kernel's own frame is too large */
        sim.kernel = symbols_kernel(pc);
    if (number == SIGSEGV && address - sim.stacks_low < sim.stacks_bytes)
        violation(
            sim.warp, sim.lane, cudaErrorLaunchFailure, pc,
            "stack overflow\n    local variables and calls of the thread need more than %d KiB",
            (int)FIBER_KIB);
    else if (segv)
        violation(sim.warp, sim.lane, cudaErrorIllegalAddress, pc,
                  memory_find(address) ? "write to address 0x%zx, which is read-only"
                                       : "access to address 0x%zx, which is not mapped",
                  (size_t)address);
    else
        violation(sim.warp, sim.lane, cudaErrorLaunchFailure, pc, "%s", signal_name(number));
    exit(1);
}

/* An existing handler stays, such as that of the address sanitizer. */
__attribute__((constructor(101))) static void start(void)
{
    static const int numbers[] = {
        SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
#ifdef __aarch64__
        SIGTRAP, /* what __builtin_trap() raises there */
#endif
    };
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    const struct sigaction action = {.sa_sigaction = on_signal,
                                     .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction old;
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
}
