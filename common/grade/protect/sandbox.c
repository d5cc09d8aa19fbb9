/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sandbox.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *const sandbox_names[SANDBOX_LEVELS] = {"limits", "namespaces", "bwrap"};

enum { MOST_FILES = 64, MOST_ARGUMENTS = 24, MOST_PROCESSES = 1 << 15, CLOCK_TIMES = 4 };

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the new process ---- */

static _Noreturn void fail(const char *what)
{
    dprintf(STDERR_FILENO, "sandbox: %s: %s\n", what, strerror(errno));
    _exit(SANDBOX_FAILED);
}

static void limit(int what, rlim_t most)
{
    setrlimit(what, &(struct rlimit){most, most});
}

/* Files 0 to 4 are the given ones, or /dev/null for 0 to 2. All others are closed. */
static void arrange_files(const int files[SANDBOX_FILES])
{
    int high[SANDBOX_FILES];
    const int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < SANDBOX_FILES; i++) {
        const int fd = files[i] < 0 && i < 3 ? nothing : files[i];
        high[i] = fd < 0 ? -1 : fcntl(fd, F_DUPFD, MOST_FILES);
    }
    for (int fd = 0; fd < MOST_FILES; fd++)
        close(fd);
    for (int i = 0; i < SANDBOX_FILES; i++)
        if (high[i] >= 0) {
            dup2(high[i], i);
            close(high[i]);
        }
}

static void enter_limits(const struct box *b)
{
    const rlim_t cpu = (rlim_t)(b->seconds + 0.999);
    setrlimit(RLIMIT_CPU, &(struct rlimit){cpu, cpu + 1});
    limit(RLIMIT_FSIZE, b->file_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, MOST_FILES);
    if (b->memory_bytes > 0)
        limit(RLIMIT_AS, b->memory_bytes);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* a change of user clears it */
    umask(077);
}

/* The arguments of sandbox.sh before the command. */
static char **arguments(char *const argv[], const struct box *b, unsigned user)
{
    static char number[16], *all[MOST_ARGUMENTS];
    size_t n = 0;
    snprintf(number, sizeof number, "%u", user);
    const char *const first[] = {
        "sh",   b->script, sandbox_names[b->level],   b->enter, b->shared ? "tool" : "program",
        number, b->folder, b->shared ? b->shared : ""};
    for (; n < sizeof first / sizeof *first; n++)
        all[n] = (char *)(uintptr_t)first[n];
    for (size_t i = 0; argv[i] && n + 1 < MOST_ARGUMENTS; i++)
        all[n++] = argv[i];
    return all;
}

static pid_t start(char *const argv[], char *const environment[], const struct box *b)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    /* To create namespaces root stays root, and enter.c becomes the user. */
    const bool later = b->level == SANDBOX_NAMESPACES;
    char **const all = arguments(argv, b, later ? b->user : 0);
    sigprocmask(SIG_SETMASK, &(sigset_t){0}, NULL);
    arrange_files(b->files);
    if (!later && b->user &&
        (setgroups(0, NULL) != 0 || setgid(b->user) != 0 || setuid(b->user) != 0))
        fail("become another user, not");
    enter_limits(b);
    execvpe(all[0], all, environment);
    fail("start sh");
}

/* ---- its keeper: a process that outlives a killed grader, and ends all that is left ---- */

/* `state` as in /proc: R is runnable, D waits for a disk, S sleeps, T is stopped. */
struct process {
    pid_t id, parent;
    char state;
};

static struct process processes[MOST_PROCESSES];

/* All processes of this system that /proc shows. Returns their number. */
static size_t list_processes(void)
{
    DIR *all = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; all && count < MOST_PROCESSES && (entry = readdir(all));) {
        char path[sizeof entry->d_name + 16], text[512] = "";
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = isdigit((unsigned char)entry->d_name[0]) ? fopen(path, "re") : NULL;
        const size_t bytes = file ? fread(text, 1, sizeof text - 1, file) : 0;
        const char *name_end = strrchr(text, ')'); /* 12 (name) S PARENT */
        if (bytes > 0 && name_end && strlen(name_end) > 4)
            processes[count++] =
                (struct process){atoi(entry->d_name), atoi(name_end + 4), name_end[2]};
        if (file)
            fclose(file);
    }
    if (all)
        closedir(all);
    return count;
}

/* Orphans of the program become our children, whatever group or session they are in. */
static void kill_children(void)
{
    const size_t count = list_processes();
    for (size_t i = 0; i < count; i++)
        if (processes[i].parent == getpid())
            kill(processes[i].id, SIGKILL);
}

static bool comes_from(pid_t id, pid_t ancestor, size_t count)
{
    for (size_t depth = 0; id > 1 && depth < 64; depth++) {
        size_t i = 0;
        while (i < count && processes[i].id != id)
            i++;
        if (i == count)
            return false;
        id = processes[i].parent;
        if (id == ancestor)
            return true;
    }
    return false;
}

/* Whether all processes of the program sleep or are stopped: none waits for a processor. */
static bool is_idle(void)
{
    const size_t count = list_processes();
    for (size_t i = 0; i < count; i++)
        if (strchr("RD", processes[i].state) && comes_from(processes[i].id, getpid(), count))
            return false;
    return true;
}

/* Waits for the child, for its time limit, or for the end of the grader. The system ends a process
 * that has used up its processor time. A sleeping one uses none: it is ended after `seconds` of the
 * clock. A program that waits for a busy processor has all the time it needs. */
static void wait_for(pid_t child, double seconds, const sigset_t *wanted, struct ended *e)
{
    enum { IDLE_TIMES = 4 }; /* idle samples before it counts */
    const struct timespec step = {.tv_nsec = 50000000};
    const double end = now() + seconds;
    int idle = 0;
    for (;;) {
        int status;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == child) {
                e->status = status;
                return;
            }
        const double left = end - now();
        const struct timespec rest = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        idle = left <= 0 && is_idle() ? idle + 1 : 0;
        e->timeout = idle >= IDLE_TIMES;
        if (e->timeout || sigtimedwait(wanted, NULL, left > 0 ? &rest : &step) == SIGTERM)
            return;
    }
}

static _Noreturn void keep(char *const argv[], char *const environment[], const struct box *b,
                           int report, pid_t grader)
{
    struct ended e = {.status = SANDBOX_FAILED << 8};
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    signal(SIGCHLD, SIG_DFL);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    const pid_t child = getppid() == grader ? start(argv, environment, b) : -1;
    if (child > 0)
        wait_for(child, CLOCK_TIMES * b->seconds, &wanted, &e);
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR;)
        if (gone == 0) {
            kill_children();
            sigtimedwait(&wanted, NULL, &(struct timespec){.tv_nsec = 2000000});
        }
    if (WIFEXITED(e.status) && WEXITSTATUS(e.status) > 128)
        e.status = WEXITSTATUS(e.status) - 128; /* a signal */
    e.timeout |= WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGXCPU;
    _exit(write(report, &e, sizeof e) != sizeof e);
}

struct ended sandbox_run(char *const argv[], char *const environment[], const struct box *b)
{
    struct ended e = {.status = SANDBOX_FAILED << 8};
    const pid_t grader = getpid();
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return e;
    const pid_t keeper = fork();
    if (keeper == 0)
        keep(argv, environment, b, report[1], grader);
    close(report[1]);
    if (keeper > 0 && (read(report[0], &e, sizeof e) < 0 || waitpid(keeper, NULL, 0) < 0))
        perror("grade: the keeper of a sandbox");
    close(report[0]);
    return e;
}

/* ---- a folder that is removed when its process ends ---- */

/* The cleaner waits for the end of a pipe, whose other end the grader and its keepers hold. */
bool folder_make(struct folder *f, const char *where, bool own_user)
{
    enum { FIRST_USER = 1 << 22 }; /* above every number of a process */
    int ends[2];
    const int n = snprintf(f->path, sizeof f->path, "%s/grade.XXXXXX", where);
    if (n >= (int)sizeof f->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    f->user = own_user ? FIRST_USER + (unsigned)getpid() : 0;
    if (!mkdtemp(f->path) || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    f->held = ends[1];
    f->cleaner = fork();
    if (f->cleaner == 0) {
        setsid();
        signal(SIGTERM, SIG_IGN);
        arrange_files((const int[SANDBOX_FILES]){ends[0], -1, -1, -1, -1});
        execlp("sh", "sh", "-c", "read -r _; exec rm -rf \"$0\"", f->path, (char *)NULL);
        _exit(1);
    }
    close(ends[0]);
    return f->cleaner > 0 && (!own_user || chown(f->path, f->user, f->user) == 0);
}

void folder_end(struct folder *f)
{
    close(f->held);
    waitpid(f->cleaner, NULL, 0);
}
