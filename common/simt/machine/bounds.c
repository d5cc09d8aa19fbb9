/* SPDX-License-Identifier: MIT */
/*
 * bounds.c - the compiler compares each index of an array with the array's size, and calls this
 * when it is too large. So an index that runs from one shared array into the next is found too.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../state/state.h"

/* What the compiler passes: layouts of the undefined behaviour sanitizer. */
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

_Noreturn void __ubsan_handle_out_of_bounds_abort(const struct bounds_site *site, uintptr_t index);
_Noreturn void __ubsan_handle_out_of_bounds_abort(const struct bounds_site *site, uintptr_t index)
{
    const long long i = index_value(site->index, index);
    if (!in_kernel()) {
        fprintf(stderr, "simt: index %lld outside of %s, %s:%u\n", i, site->array->name, site->file,
                site->line);
        exit(1);
    }
    fault_lane(sim.warp, sim.lane, cudaErrorIllegalAddress, (uintptr_t)__builtin_return_address(0),
               "index %lld outside of %s", i, site->array->name);
    for (;;)
        fiber_leave();
}
