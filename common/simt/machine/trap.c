/* SPDX-License-Identifier: MIT */
/*
 * trap.c - a kernel that stops itself, or is stopped by a compiler's check: assert and __trap, an
 * index that is too large, a bad alignment, a division by zero.
 */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../find/find.h"
#include "inside.h"

/* ---- what a kernel asks for ---- */

void simt_trap(const char *what)
{
    if (!in_kernel())
        abort();
    violation(sim.warp, sim.lane, cudaErrorLaunchFailure, CALLER, "%s", what);
    fiber_leave();
}

#ifdef __GLIBC__
/* C's assert() calls this. In a kernel it ends the launch, on the host the process. */
_Noreturn void __assert_fail(const char *what, const char *file, unsigned line, const char *func)
{
    if (!in_kernel()) {
        fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, func, what);
        signal(SIGABRT, SIG_DFL); /* no second message */
        abort();
    }
    violation(sim.warp, sim.lane, cudaErrorAssert, CALLER, "assertion failed: %s", what);
    for (;;)
        fiber_leave();
}
#endif

/* ---- an index that is too large ---- */

/* The compiler compares each index of an array with the array's size, and calls the function below
 * if it is too large: so an index that runs from one shared array into the next is found too. These
 * are its arguments, in the layout of the undefined behaviour sanitizer. */
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

/* A small index is in the low bits of the argument. */
static int64_t index_value(const struct bounds_type *type, uintptr_t value)
{
    const unsigned bits = 1u << (type->info >> 1);
    if (bits >= 64)
        return (int64_t)value;
    const uint64_t low = value & ((1ull << bits) - 1);
    const bool negative = (type->info & 1) && low >> (bits - 1);
    return negative ? (int64_t)low - (int64_t)(1ull << bits) : (int64_t)low;
}

/* gcc writes 'float [8]', clang 'float[8]': we write it as the source does. */
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

/* ---- a pointer that does not fit its alignment, or the array it was made from ---- */

struct pointer_site {
    const char *file;
    uint32_t line, column;
    const struct bounds_type *type;
    uint8_t log_alignment; /* 0: the pointer has left its array */
    uint8_t act;
};

enum { LOAD, STORE, REFERENCE, MEMBER }; /* kinds of access; larger values are calls of members */

/*
 * g++ knows the size of a variable in the function that makes a pointer to it, and checks whether
 * `p[i]` reaches past its end. On a lane's own stack there is no hook, and another shared array
 * would be legal; elsewhere the hook says more than this does, and host code continues.
 */
static void left_its_array(const struct pointer_site *site, uintptr_t address, uintptr_t pc)
{
    if (!is_private((const void *)address) && !memory_find(address) && !pool_is_confined())
        return;
    violation(sim.warp, sim.lane, cudaErrorIllegalAddress, pc,
              "a pointer has left its array or variable\n"
              "    the %s through it is before or after the object it was made from",
              site->type->name);
    for (;;)
        fiber_leave();
}

static void over_aligned(const struct pointer_site *site, uintptr_t address, uintptr_t pc)
{
    violation(sim.warp, sim.lane, cudaErrorMisalignedAddress, pc,
              "misaligned %s of %s\n"
              "    address 0x%zx is a multiple of %zu; its type is aligned to %u bytes",
              site->act == STORE ? "write" : "read", site->type->name, (size_t)address,
              (size_t)(address & -address), 1u << site->log_alignment);
    for (;;)
        fiber_leave();
}

/*
 * A GPU reads an aligned struct as a whole, but the processor here may read it in smaller parts,
 * each of which is aligned. So the compiler compares the pointer with the type's alignment and
 * calls this if they do not match; the lane stops as for an access of that many bytes, and is
 * reported with the others that do the same. A type aligned to 32 bytes or more stops at once: a
 * Hopper loads at most 16 bytes and would continue, a Blackwell loads 32. Host code continues, as
 * on its processor.
 */
static void type_mismatch(const struct pointer_site *site, uintptr_t address, uintptr_t pc)
{
    const uint32_t widest = 16, alignment = 1u << site->log_alignment;
    const uint32_t bytes = alignment < widest ? alignment : widest;
    const enum stop why = site->act == STORE ? STOP_WRITE : STOP_READ;
    if (in_kernel() && site->log_alignment == 0)
        left_its_array(site, address, pc);
    else if (site->log_alignment == 0 && pool_is_confined())
        access_by_host(why, address, 1, pc); /* of a constant: no hook follows */
    if (!in_kernel() || is_private((const void *)address))
        return;
    if (address % bytes != 0)
        lane_stop(why, address, bytes, pc);
    else if (address % alignment != 0)
        over_aligned(site, address, pc);
}

/* What clang calls, under a name that simtcc gives: it checks `this` when a member is called, not
 * later. */
void simt_type_mismatch(const struct pointer_site *site, uintptr_t address)
{
    type_mismatch(site, address, CALLER);
}

/*
 * What g++ calls, at each access, and when a reference is made or a member is called. For those g++
 * 15 checks the wrong pointer, `in` of ((pack *)(in + head))[i], and the access follows anyway.
 */
void __ubsan_handle_type_mismatch_v1(const struct pointer_site *site, uintptr_t address)
{
    if (site->act == LOAD || site->act == STORE || site->act == MEMBER)
        type_mismatch(site, address, CALLER);
}

/* ---- a division by zero ---- */

/* The compiler compares each integer divisor with zero. A GPU does not stop here. */
struct divide_site {
    const char *file;
    uint32_t line, column;
};

_Noreturn void __ubsan_handle_divrem_overflow_abort(const struct divide_site *site, uintptr_t left,
                                                    uintptr_t right)
{
    (void)left, (void)right;
    if (!in_kernel()) {
        fprintf(stderr, "simt: division by zero, %s:%u\n", site->file, site->line);
        exit(1);
    }
    violation(sim.warp, sim.lane, cudaErrorLaunchFailure, CALLER,
              "division by zero\n    a GPU continues with an undefined result");
    for (;;)
        fiber_leave();
}
