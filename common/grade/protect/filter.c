/* SPDX-License-Identifier: MIT */
/*
 * filter.c - which system calls a submission's program may make. The operating system checks each
 * call with a small BPF program, and refuses with EPERM.
 *
 * enter.c installs the startup filter before exec: only execve, reading files, memory, and writing
 * to stdout, stderr and REPLY_FD. child.c installs the narrow filter before it calls solve: from
 * then on it can open, read and start nothing.
 */
#define _GNU_SOURCE
#include "sandbox.h"

#if __has_include(<linux/seccomp.h>) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job.h"

#ifdef __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

/* Accepted before exec and after it, */
static const unsigned calls[] = {SYS_exit_group,     SYS_exit,         SYS_brk,
                                 SYS_munmap,         SYS_mremap,       SYS_madvise,
                                 SYS_futex,          SYS_sysinfo,      SYS_getrandom,
                                 SYS_clock_gettime,  SYS_sigaltstack,  SYS_rt_sigaction,
                                 SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_lseek,
                                 SYS_fstat,          SYS_newfstatat};

/* accepted for the start only, */
static const unsigned start_calls[] = {
    SYS_execve,          SYS_read,       SYS_close, SYS_readlinkat,   SYS_set_tid_address,
    SYS_set_robust_list, SYS_rseq,       SYS_prctl, SYS_memfd_create, SYS_ftruncate,
#ifdef __x86_64__
    SYS_readlink,        SYS_arch_prctl,
#endif
};

/* and accepted if `mask` of an argument is `value`. */
static const struct rule {
    unsigned call, argument, mask, value;
    bool start_only;
} rules[] = {
    {SYS_mmap, 2, PROT_EXEC, 0, false},
    {SYS_mprotect, 2, PROT_EXEC, 0, false},
    {SYS_write, 0, ~0u, STDOUT_FILENO, false},
    {SYS_write, 0, ~0u, STDERR_FILENO, false},
    {SYS_write, 0, ~0u, REPLY_FD, false},
    {SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY, true},
    {SYS_prlimit64, 0, ~0u, 0, true}, /* of itself */
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
/* If it is `k`, continues with the next statement, else skips some. */
#define IF(k, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, otherwise)

static struct sock_filter statements[256];
static size_t count;

static void add(const struct sock_filter *what, size_t n)
{
    memcpy(statements + count, what, n * sizeof *what);
    count += n;
}
#define ADD(...)                                                                                   \
    add((const struct sock_filter[]){__VA_ARGS__},                                                 \
        sizeof((const struct sock_filter[]){__VA_ARGS__}) / sizeof(struct sock_filter))

static void accept_calls(const unsigned *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ADD(IF(list[i], 1), RETURN(SECCOMP_RET_ALLOW));
}

/* The low half of an argument; both machines are little-endian. */
bool filter_set(bool start)
{
    count = 0;
    ADD(LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr));
    accept_calls(calls, sizeof calls / sizeof *calls);
    if (start)
        accept_calls(start_calls, sizeof start_calls / sizeof *start_calls);
    for (const struct rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++)
        if (start || !r->start_only)
            ADD(IF(r->call, 5), LOAD(args[r->argument]),
                BPF_STMT(BPF_ALU | BPF_AND | BPF_K, r->mask), IF(r->value, 1),
                RETURN(SECCOMP_RET_ALLOW), LOAD(nr));
    ADD(RETURN(SECCOMP_RET_ERRNO | 1)); /* EPERM */
    const struct sock_fprog program = {(unsigned short)count, statements};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
#else
bool filter_set(bool start)
{
    (void)start;
    return false;
}
#endif
