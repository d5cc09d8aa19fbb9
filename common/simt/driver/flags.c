/* SPDX-License-Identifier: MIT */
/* flags.c - the host's compiler, and the flags that keep a program as it is written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/*
 * -O1 and the sanitizer give one hook per access. What is off, and why:
 *   tree-sra             would split the load of a float4 into four
 *   reorder-blocks, guess-branch-probability, tree-ch, thread-jumps, tree-dominator-opts, tree-sink
 *                        would move code, and lockstep goes by code address
 *   tree-cselim, if-conversion
 *                        would turn a conditional store into one by every lane
 *   ivopts               would count an address on from turn to turn, beside the one that the hook
 *                        has: then the proof (verify/) cannot see that they are equal
 *   tree-ter             would read memory for each instruction that needs the value: twice where a
 *                        float becomes an unsigned long long
 *   ipa-reference-addressable
 *                        would take an array that is never written for a constant, without hooks
 *   ipa-*                would guess what the runtime's functions touch, or copy kernels
 *   elide-constructors   a struct that a call takes or returns would go straight from memory or to
 *                        it, and the sanitizer looks at assignments only: now a variable in between
 *                        is assigned. Then each copy is a call, so early-inlining-insns has small
 *                        functions inlined: the access keeps the line and address of the copy.
 */
static const char gcc_flags[] =
    "-O1 -fno-tree-sra -fno-reorder-blocks -fno-guess-branch-probability -fno-tree-ch "
    "-fno-thread-jumps -fno-tree-dominator-opts -fno-tree-sink -fno-tree-cselim -fno-if-conversion "
    "-fno-if-conversion2 -fno-ipa-reference -fno-ipa-pure-const -fno-ipa-icf -fno-ipa-sra "
    "-fno-ipa-cp -fno-partial-inlining -fno-elide-constructors -fno-ivopts -fno-tree-ter "
    "-fno-ipa-reference-addressable "
    "--param=early-inlining-insns=1000 --param=tsan-distinguish-volatile=1 "
    "-fsanitize=bounds,alignment,object-size";

/* clang splits struct copies as soon as it optimizes. Debian's would record the names of our
 * files. */
static const char clang_flags[] =
    "-O0 -gno-record-command-line -mllvm -tsan-instrument-read-before-write=1 "
    "-mllvm -tsan-distinguish-volatile=1 "
    "-Wno-unknown-attributes -Wno-c++11-narrowing -Wno-unused-command-line-argument "
    "-Wno-misleading-indentation "
    "-fsanitize=array-bounds,alignment";

/*
 * Common to both: an index out of bounds does not return, but a pointer that is misaligned, or has
 * left its array, may in host code and where a hook says more; a * b + c is not fused, sums of int
 * wrap as on a GPU, a float may be read as a float4, and local variables that need too much stack
 * hit the guard page below it. A switch has no table of jumps, so that the proof (verify/) sees
 * where each comes from. With DWARF 5 some versions of addr2line report wrong files.
 */
static const char common_flags[] =
    "-gdwarf-4 -fsanitize=thread,integer-divide-by-zero "
    "-fno-sanitize-recover=all -fsanitize-recover=alignment,object-size -fno-jump-tables "
    "-ffp-contract=off -fwrapv -fno-strict-aliasing "
    "-fstack-clash-protection -Wno-unknown-pragmas";

/* The first line of `g++ --version` is "g++ (NAME OF A SYSTEM) 13.2.0". 0 for clang. */
static int gcc_version(const struct compiler *c)
{
    const char *version = strstr(c->version, ") ");
    return c->clang || !version ? 0 : atoi(version + 2);
}

/* Variables are filled with a pattern that no program would use; gcc 11 cannot, and see
 * padding.c. From gcc 16 on forwprop would pass a struct straight from memory to a call, see
 * elide-constructors. */
static const char *version_flags(const struct compiler *c)
{
    const int gcc = gcc_version(c);
    return gcc >= 16               ? "-ftrivial-auto-var-init=pattern -fno-tree-forwprop"
           : c->clang || gcc >= 12 ? "-ftrivial-auto-var-init=pattern"
                                   : "";
}

struct compiler compiler_find(bool debug)
{
    struct compiler c = {.command = list_split(setting("CXX", "c++"), " ", true),
                         .c = list_split(setting("CC", "cc"), " ", true)};
    struct list ask = c.command;
    ADD(&ask, "--version");
    const int status = process_run(&ask, &c.version);
    fputs(process_messages(), stderr);
    if (status != 0)
        exit(status);
    c.clang = strstr(c.version, "clang") != NULL;
    c.pads = gcc_version(&c) == 12 || gcc_version(&c) == 13;
    /* -g1: lines, as nvcc's -lineinfo; -g: variables too, for gdb. After -gdwarf-4, which is -g. */
    c.device_flags = list_split(text("%s %s %s %s", c.clang ? clang_flags : gcc_flags,
                                     version_flags(&c), common_flags, debug ? "-g" : "-g1"),
                                " ", true);
    return c;
}

/* CUDA's number for the architecture, by which device code may be selected. nvcc defines it for the
 * device only; here one compilation serves both sides. */
const char *device_macro(void)
{
    static const struct {
        const char *name, *number;
    } devices[] = {{"h200", "900"},     {"b200", "1000"},   {"a100", "800"},
                   {"rtx5090", "1200"}, {"rtx4090", "890"}, {"t4", "750"}};
    const char *name = setting("SIMT_DEVICE", "h200");
    struct list names = {0};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (strcmp(devices[i].name, name) == 0)
            return text("-D__CUDA_ARCH__=%s", devices[i].number);
        ADD(&names, devices[i].name);
    }
    die("SIMT_DEVICE=%s is unknown; choose one of: %s", name, list_text(&names, " "));
}
