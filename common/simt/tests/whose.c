/* SPDX-License-Identifier: MIT */
/*
 * whose.c - whose line a return address is: one of the program's own functions, or none, such as
 * that of a jump into a library. Arguments: where these jumps are in the program's file, and their
 * bytes. Exit status: 1 if an address has another owner.
 *
 * Group: simt
 * Case: whose - a jump into a library is no line of the program: readelf says where these jumps are
 * Run: $WORK/whose $(readelf -SW $WORK/whose | sed 's/.*]//' | awk '$1 == ".plt" { print $3, $5 }')
 */
#include <stdio.h>
#include <stdlib.h>

#include "../state/state.h"

extern char __executable_start[];

static void no_array(const char *name, uintptr_t low, size_t bytes)
{
    (void)name, (void)low, (void)bytes;
}

static void no_segment(uintptr_t low, size_t bytes, enum space space)
{
    (void)low, (void)bytes, (void)space;
}

int main(int arguments, char **argument)
{
    if (arguments != 3) {
        fprintf(stderr, "usage: whose ADDRESS BYTES, of .plt, in hexadecimal\n");
        return 2;
    }
    symbols_init(no_array, no_segment);
    const uintptr_t address = strtoull(argument[1], NULL, 16),
                    bytes = strtoull(argument[2], NULL, 16);
    /* A program at the addresses that its file says has the base in its addresses. */
    const uintptr_t base = (uintptr_t)__executable_start;
    const uintptr_t low = address > base ? address : base + address;
    unsigned failed = !symbols_is_program((uintptr_t)main + 1);
    for (uintptr_t pc = low + 1; pc <= low + bytes; pc++)
        failed += symbols_is_program(pc);
    printf("%u of %zu addresses have another owner\n", failed, (size_t)bytes + 1);
    return failed != 0;
}
