/* SPDX-License-Identifier: MIT */
/*
 * called.c - replacements for what a submission calls; build.c renames the calls.
 *
 * A call of a computed address, such as a function pointer or a virtual function, becomes a call of
 * __x86_indirect_thunk_REGISTER with the address in that register. Ours jumps to the address only
 * if a function of the submission begins there: the compiler has listed these in a section.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "simt/include/simt/abi.h"

/* For printf() and its family: a graded file may print, but the output is discarded. Exit handlers
 * are not run. */
int grade_nothing(void)
{
    return 0;
}

/* Math functions that store through a pointer: the store has its hook, like a memory copy. */
#define STORES(type, name, other)                                                                  \
    type grade_##name(type x, other *to)                                                           \
    {                                                                                              \
        other found;                                                                               \
        const type result = name(x, &found);                                                       \
        simt_memcpy(to, &found, sizeof found);                                                     \
        return result;                                                                             \
    }
#define STORES_TWO(type, name)                                                                     \
    void grade_##name(type x, type *to, type *and)                                                 \
    {                                                                                              \
        type found[2];                                                                             \
        name(x, &found[0], &found[1]);                                                             \
        simt_memcpy(to, &found[0], sizeof *found);                                                 \
        simt_memcpy(and, &found[1], sizeof *found);                                                \
    }
STORES(double, modf, double)
STORES(float, modff, float)
STORES(double, frexp, int)
STORES(float, frexpf, int)
STORES_TWO(double, sincos)
STORES_TWO(float, sincosf)

_Noreturn void grade_refuse_call(void)
{
    fprintf(stderr, "grade: it calls an address where no function of this file begins\n");
    _exit(3);
}

#ifdef __x86_64__
/* One entry, so that the section exists even if the submission has none. */
__asm__(".section __patchable_function_entries,\"aw\",@progbits\n"
        "    .quad grade_refuse_call\n"
        ".text\n"
        ".macro thunk name\n"
        ".globl __x86_indirect_thunk_\\name\n"
        "__x86_indirect_thunk_\\name:\n"
        "    push %rax\n"
        "    push %rcx\n"
        "    push %rdx\n"
        "    mov %\\name, %rcx\n"
        "    lea __start___patchable_function_entries(%rip), %rax\n"
        "    lea __stop___patchable_function_entries(%rip), %rdx\n"
        "1:  cmp %rdx, %rax\n"
        "    jae grade_refuse_call\n"
        "    cmp (%rax), %rcx\n"
        "    lea 8(%rax), %rax\n"
        "    jne 1b\n"
        "    pop %rdx\n"
        "    pop %rcx\n"
        "    pop %rax\n"
        "    jmp *%\\name\n"
        ".endm\n"
        ".irp name, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15\n"
        "    thunk \\name\n"
        ".endr\n");
#endif
