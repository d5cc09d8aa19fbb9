/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "filter.h"

#if __has_include(<linux/seccomp.h>) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
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

/* A call is accepted if `mask` of this argument is `value`. */
static const struct rule {
    unsigned call;
    bool start_only;
    unsigned argument, mask, value;
} rules[] = {
    {SYS_exit_group, false, 0, 0, 0},
    {SYS_exit, false, 0, 0, 0},
    {SYS_brk, false, 0, 0, 0},
    {SYS_munmap, false, 0, 0, 0},
    {SYS_mremap, false, 0, 0, 0},
    {SYS_madvise, false, 0, 0, 0},
    {SYS_futex, false, 0, 0, 0},
    {SYS_sysinfo, false, 0, 0, 0},
    {SYS_getrandom, false, 0, 0, 0},
    {SYS_clock_gettime, false, 0, 0, 0},
    {SYS_sigaltstack, false, 0, 0, 0},
    {SYS_rt_sigaction, false, 0, 0, 0},
    {SYS_rt_sigprocmask, false, 0, 0, 0},
    {SYS_rt_sigreturn, false, 0, 0, 0},
    {SYS_lseek, false, 0, 0, 0},
    {SYS_fstat, false, 0, 0, 0},
    {SYS_newfstatat, false, 0, 0, 0},
    {SYS_mmap, false, 2, PROT_EXEC, 0},
    {SYS_mprotect, false, 2, PROT_EXEC, 0},
    {SYS_write, false, 0, ~0u, STDOUT_FILENO},
    {SYS_write, false, 0, ~0u, STDERR_FILENO},
    {SYS_write, false, 0, ~0u, REPLY_FD},
    {SYS_execve, true, 0, 0, 0},
    {SYS_openat, true, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {SYS_wait4, true, 0, 0, 0}, /* bwrap waits for the program */
    {SYS_read, true, 0, 0, 0},
    {SYS_close, true, 0, 0, 0},
    {SYS_readlinkat, true, 0, 0, 0},
    {SYS_set_tid_address, true, 0, 0, 0},
    {SYS_set_robust_list, true, 0, 0, 0},
    {SYS_rseq, true, 0, 0, 0},
    {SYS_prlimit64, true, 0, ~0u, 0}, /* of itself */
    {SYS_prctl, true, 0, 0, 0},
    {SYS_memfd_create, true, 0, 0, 0},
    {SYS_ftruncate, true, 0, 0, 0},
#ifdef __x86_64__
    {SYS_readlink, true, 0, 0, 0},
    {SYS_arch_prctl, true, 0, 0, 0},
#endif
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
/* If it is `k`, goes on with the next statement, else skips some. */
#define IF(k, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, otherwise)

static size_t add(struct sock_filter *to, size_t n, const struct sock_filter *what, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[n + i] = what[i];
    return n + count;
}
#define ADD(...)                                                                                   \
    n = add(to, n, (const struct sock_filter[]){__VA_ARGS__},                                      \
            sizeof((const struct sock_filter[]){__VA_ARGS__}) / sizeof(struct sock_filter))

/* Of an argument its low half; both machines are little-endian. */
size_t filter_make(struct sock_filter *to, bool start)
{
    size_t n = 0;
    ADD(LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr));
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];
        if (start || !r->start_only)
            ADD(IF(r->call, 5), LOAD(args[r->argument]),
                BPF_STMT(BPF_ALU | BPF_AND | BPF_K, r->mask), IF(r->value, 1),
                RETURN(SECCOMP_RET_ALLOW), LOAD(nr));
    }
    ADD(RETURN(SECCOMP_RET_ERRNO | 1)); /* EPERM */
    return n;
}

bool filter_set(bool start)
{
    struct sock_filter statements[FILTER_STATEMENTS];
    const struct sock_fprog program = {(unsigned short)filter_make(statements, start), statements};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}
#else
size_t filter_make(struct sock_filter *to, bool start)
{
    (void)to, (void)start;
    return 0;
}

bool filter_set(bool start)
{
    (void)start;
    return false;
}
#endif
