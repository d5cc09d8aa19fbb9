/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "confine.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job.h"

#if __has_include(<linux/seccomp.h>) && (defined(__x86_64__) || defined(__aarch64__))
#define HAVE_FILTER 1
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#else
#define HAVE_FILTER 0
#endif

enum { MORE_BYTES = 512 << 20 };

/* ---- limits ---- */

static int limit(int what, rlim_t most)
{
    const struct rlimit r = {most, most};
    return setrlimit(what, &r);
}

/* The emulator reserves many addresses for device memory. What counts is what comes on top. */
static int limit_memory(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    const int read = file ? fscanf(file, "%lu", &pages) : 0;
    if (file)
        fclose(file);
    if (read != 1)
        return -1;
    return limit(RLIMIT_AS, (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MORE_BYTES);
}

/* ---- the filter: a small program that the kernel runs at each system call ---- */

#if HAVE_FILTER
#ifdef __x86_64__
#define THIS_ARCH AUDIT_ARCH_X86_64
#else
#define THIS_ARCH AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | 1) /* EPERM */
/* If the value is `k`, goes on with the next statement, else skips one. */
#define IF(k) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1)
#define ALLOW(call) IF(call), RETURN(SECCOMP_RET_ALLOW)
/* The low half of the third argument; both machines are little-endian. */
#define ALLOW_UNLESS_EXECUTABLE(call)                                                              \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4), LOAD(args[2]),                                \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), REFUSE, RETURN(SECCOMP_RET_ALLOW)
#define ALLOW_FILE(fd) IF(fd), RETURN(SECCOMP_RET_ALLOW)

static int filter_calls(void)
{
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(SYS_exit_group),
        ALLOW(SYS_exit),
        ALLOW(SYS_brk),
        ALLOW(SYS_munmap),
        ALLOW(SYS_mremap),
        ALLOW(SYS_madvise),
        ALLOW(SYS_futex),
        ALLOW(SYS_sysinfo),
        ALLOW(SYS_getrandom),
        ALLOW(SYS_clock_gettime),
        ALLOW(SYS_sigaltstack),
        ALLOW(SYS_rt_sigaction),
        ALLOW(SYS_rt_sigprocmask),
        ALLOW(SYS_rt_sigreturn),
        ALLOW(SYS_lseek),
        ALLOW(SYS_fstat),
        ALLOW(SYS_newfstatat),
        ALLOW_UNLESS_EXECUTABLE(SYS_mmap),
        ALLOW_UNLESS_EXECUTABLE(SYS_mprotect),
        IF(SYS_write),
        BPF_STMT(BPF_JMP | BPF_JA, 1),
        REFUSE,
        LOAD(args[0]),
        ALLOW_FILE(STDOUT_FILENO),
        ALLOW_FILE(STDERR_FILENO),
        ALLOW_FILE(REPLY_FD),
        REFUSE,
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#else
static int filter_calls(void)
{
    return -1;
}
#endif

unsigned confine_process(void)
{
    unsigned on = limit_memory() == 0 ? PROTECT_MEMORY : 0;
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_CORE, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (filter_calls() == 0)
        on |= PROTECT_CALLS;
    return on;
}
