/* SPDX-License-Identifier: MIT */
/*
 * fault.c - tells what a kernel did wrong. The launch ends, no byte of the bad access lands, later
 * calls of the host API fail as in CUDA, and the process exits 1 whatever main returns.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shadow.h"

static bool any_message;

static void exit_one(void)
{
    if (!any_message)
        return;
    findings_summary();
    fflush(NULL);
    _exit(1);
}

/* Comes before any other atexit(), so it runs after the others: the reports are printed first. */
void fault_init(void)
{
    static bool registered;
    if (!registered)
        atexit(exit_one);
    registered = true;
}

/* Starts a message. Its first line says what and where, those that follow begin with four spaces.
 * From now on the process will exit with 1. */
void fault_begin(void)
{
    fault_init();
    any_message = true;
    fflush(stdout);
    fprintf(stderr, "simt: ");
}

void fault_end(void)
{
    fprintf(stderr, "\n");
}

static void end_launch(cudaError_t error)
{
    sim.stopped = true;
    error_set_sticky(error);
}

static void print_place(uintptr_t pc)
{
    char place[4096];
    fprintf(stderr, " at %s", places_text(pc, place, sizeof place));
}

/* The end of a message's first line, and the second one. */
static void print_thread(const struct warp *w, unsigned lane, uintptr_t pc)
{
    const uint3 b = sim.block_idx;
    const uint3 t = sim.thread_idx[w->first + lane];
    fprintf(stderr, " in %s", sim.kernel->name);
    print_place(pc);
    fprintf(stderr, "\n    block (%u,%u,%u), thread (%u,%u,%u)", b.x, b.y, b.z, t.x, t.y, t.z);
}

void fault_lane(struct warp *w, unsigned lane, cudaError_t error, uintptr_t pc, const char *format,
                ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);

    const size_t first = strcspn(text, "\n");
    fault_begin();
    fprintf(stderr, "%.*s", (int)first, text);
    print_thread(w, lane, pc);
    fprintf(stderr, "%s", text + first);
    fault_end();
    end_launch(error);
}

static const char *const acts[STOP_KINDS] = {
    [STOP_READ] = "read", [STOP_WRITE] = "write", [STOP_ATOMIC] = "atomic"};

static const char *const space_names[SPACES] = {
    [SPACE_SHARED] = "shared array",      [SPACE_GLOBAL] = "allocation",
    [SPACE_HOST] = "pinned allocation",   [SPACE_MANAGED] = "managed allocation",
    [SPACE_MODULE] = "program variables", [SPACE_CONSTANT] = "constants",
};

static void print_region(const struct region *r)
{
    fprintf(stderr, "the %zu-byte %s", r->bytes, space_names[r->space]);
    if (r->name)
        fprintf(stderr, " %s", r->name);
}

/* Says what lies at the address, or near it. Far from everything, it can only be host memory. */
static void describe_address(uintptr_t address)
{
    enum { NEAR_BYTES = 1 << 20 };
    const struct region *was = memory_freed(address);
    const struct region *below = memory_below(address), *above = memory_above(address);
    size_t arena_bytes;
    const uintptr_t arena = fiber_arena(&arena_bytes);

    fprintf(stderr, "\n    address 0x%zx, ", (size_t)address);
    if (address < 4096) {
        fprintf(stderr, "a null pointer");
    } else if (address - arena < arena_bytes) {
        fprintf(stderr, "in the stack of another thread");
    } else if (was) {
        fprintf(stderr, "inside the %zu-byte allocation that was freed", was->bytes);
    } else if (below && region_holds(below, address)) {
        fprintf(stderr, "byte %zu of ", (size_t)(address - below->low));
        print_region(below);
    } else if (below && address - below->low - below->bytes < NEAR_BYTES) {
        fprintf(stderr, "%zu bytes after ", (size_t)(address - below->low - below->bytes));
        print_region(below);
    } else if (above && above->low - address < NEAR_BYTES) {
        fprintf(stderr, "%zu bytes before ", (size_t)(above->low - address));
        print_region(above);
    } else {
        fprintf(stderr, "no device memory: a host pointer or a wild one");
    }
}

void fault_access(struct warp *w, unsigned lane, uint32_t group)
{
    const struct region *region = NULL;
    const bool misaligned = warp_check(w, lane, &region) == VERDICT_MISALIGNED;
    int others = -1;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
        others += warp_check(w, (unsigned)__builtin_ctz(rest), &region) != VERDICT_FINE;

    fault_begin();
    fprintf(stderr, "%s %s of %u bytes", misaligned ? "misaligned" : "out-of-bounds",
            acts[w->why[lane]], w->bytes[lane]);
    print_thread(w, lane, w->pc[lane]);
    if (others > 0)
        fprintf(stderr, " and %d more lane%s of its warp", others, others == 1 ? "" : "s");
    describe_address(w->address[lane]);
    fault_end();
    end_launch(misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress);
}

/* Host code cannot go on either: on a real machine it crashes here. */
_Noreturn void fault_host(enum stop why, uintptr_t address, uintptr_t pc)
{
    fault_begin();
    if (pool_holds(address)) {
        fprintf(stderr, "%s of device memory by host code", acts[why]);
        print_place(pc);
        describe_address(address);
        fprintf(stderr, "\n    copy it with cudaMemcpy() first");
    } else {
        fprintf(stderr, "%s outside of its own variables by host code", acts[why]);
        print_place(pc);
    }
    fault_end();
    exit(1);
}

/* ---- faults that a kernel asks for ---- */

void simt_trap(const char *what)
{
    if (!in_kernel())
        abort();
    fault_lane(sim.warp, sim.lane, cudaErrorAssert, (uintptr_t)__builtin_return_address(0), "%s",
               what);
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
    fault_lane(sim.warp, sim.lane, cudaErrorAssert, (uintptr_t)__builtin_return_address(0),
               "assertion failed: %s", what);
    for (;;)
        fiber_leave();
}
#endif
