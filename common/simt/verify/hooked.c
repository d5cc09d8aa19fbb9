/* SPDX-License-Identifier: MIT */
/*
 * hooked.c - reads objdump's output for a program that simtcc has built, and proves that no load or
 * store bypasses the hooks. hooked.sh runs it.
 *
 *   (objdump -hwR PROGRAM; objdump -s -j .eh_frame -j .gcc_except_table PROGRAM;
 *       objdump -d -j .text --no-show-raw-insn PROGRAM) | hooked MAP [OBJECT...]
 *
 * MAP is what the linker writes with -Map: from which file each piece of the code comes. Code is
 * examined if it comes from an object file, other than a compiler's own (crt1.o) and those named
 * OBJECT, which are trusted. Code from an archive belongs to a library, even if it is linked
 * statically: the runtime's, the harness's, the C++ library's.
 *
 * What is proven, for each function and along each path through it: each byte that an instruction
 * reads or writes was named before by a hook of that kind, and no other instruction has used up
 * that hook. Exempt are the function's own stack, constants, and the memory for its result if the
 * caller has given some: each call of such a function must give a place in the caller's stack. A
 * call through a pointer may be a call of any such function whose address is in the code or, by the
 * relocations (-R), in the data; without relocations, of any such function. Not so a virtual call
 * whose first argument is the object, and a call whose first argument is a number of 32 bits: a
 * program above 4 GiB has no address like that. What the emulator's headers call after they
 * announced an atomic (simt::raw) touches its first argument as well: each call of it must come
 * after the announcement of as many bytes. Trusted is that a called function leaves the caller's
 * spilled registers alone. x86-64 only.
 *
 * How: registers and stack slots hold values, and a value is a sum of unknowns and a number. The
 * sum of the unknowns is one hash, so equal addresses are equal numbers, however they were made.
 * Blocks are visited until nothing changes; where paths join, a value on which they do not agree
 * becomes an unknown of that place. What is known after any call comes to each landing pad, by the
 * tables of exceptions, and after any jump by table to each block that is not reached otherwise. If
 * no table of exceptions can be read, such a block may be a pad. inside.h gives the order to read
 * the files in.
 */
#include <stdio.h>

#include "inside.h"

int main(int argc, char **argv)
{
    int functions = 0, instructions = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: objdump ... | hooked MAP [OBJECT...]\n");
        return 2;
    }
    program_open(argv[1], argv + 2, argc - 2);
    for (; program_function(); functions++) {
        instructions += lines;
        examine();
    }
    examine_calls();
    printf("%d functions, %d instructions, %d without a hook\n", functions, instructions, findings);
    return findings != 0 || functions == 0;
}
