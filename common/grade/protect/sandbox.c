/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sandbox.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <linux/filter.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"

const char *const sandbox_names[SANDBOX_LEVELS] = {"limits", "namespaces", "bwrap"};

enum { MOST_FILES = 64, FILTER_FD = SANDBOX_FILES, MOST_SEEN = 32, PATH_SIZE = 4096 };

static _Noreturn void fail(const char *what, const char *which)
{
    dprintf(STDERR_FILENO, "sandbox: %s %s: %s\n", what, which, strerror(errno));
    _exit(SANDBOX_FAILED);
}

/* ---- what a program sees of the file system: a table for bubblewrap and for us ---- */

struct seen {
    const char *option; /* of bwrap */
    const char *source, *path;
};

struct view {
    struct seen seen[MOST_SEEN];
    size_t count;
    char link[8][PATH_SIZE]; /* where links of the system lead: /bin to usr/bin */
    size_t links;
};

static void see(struct view *v, const char *option, const char *source, const char *path)
{
    if (v->count == MOST_SEEN || v->links == 8)
        fail("too many folders, at", path);
    v->seen[v->count++] = (struct seen){option, source, path};
}

static void see_system(struct view *v, const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return;
    const ssize_t n = S_ISLNK(st.st_mode) ? readlink(path, v->link[v->links], PATH_SIZE - 1) : -1;
    if (n > 0) {
        v->link[v->links][n] = '\0';
        see(v, "--symlink", v->link[v->links++], path);
    } else {
        see(v, "--ro-bind", path, path);
    }
}

/* No /proc, no /home, no /tmp but the folder. The emulator reads its own program by the name that
 * Linux has for it. */
static void view_make(struct view *v, const struct box *b)
{
    static const char *const system[] = {"/usr",
                                         "/bin",
                                         "/sbin",
                                         "/lib",
                                         "/lib32",
                                         "/lib64",
                                         "/libx32",
                                         "/opt",
                                         "/nix",
                                         "/gnu/store",
                                         "/etc/alternatives",
                                         "/etc/ld.so.cache"};
    *v = (struct view){.count = 0};
    if (!b->shared) {
        snprintf(v->link[0], PATH_SIZE, "%s/program", b->folder);
        see(v, "--symlink", v->link[v->links++], "/proc/self/exe");
        see(v, "--ro-bind", b->folder, b->folder);
        return;
    }
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        see_system(v, system[i]);
    see(v, "--dev-bind", "/dev/null", "/dev/null");
    for (const char *const *path = b->shared; *path; path++)
        see(v, "--ro-bind", *path, *path);
    see(v, "--bind", b->folder, b->folder);
}

/* ---- level 2: namespaces by hand ---- */

/* The new root is put together on top of /proc: it is there on every system. */
#define NEW_ROOT "/proc"

static void write_file(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        fail("write", path);
    close(fd);
}

/* In a user namespace of our own we have rights over its other namespaces, and keep our number. */
static void map_user(uid_t user, gid_t group)
{
    char text[64];
    write_file("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "%u %u 1", (unsigned)user, (unsigned)user);
    write_file("/proc/self/uid_map", text);
    snprintf(text, sizeof text, "%u %u 1", (unsigned)group, (unsigned)group);
    write_file("/proc/self/gid_map", text);
}

static void place(const struct seen *s)
{
    char to[2 * PATH_SIZE];
    struct stat st;
    snprintf(to, sizeof to, NEW_ROOT "%s", s->path);
    for (char *p = to + strlen(NEW_ROOT "/"); (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(to, 0755);
    }
    if (strcmp(s->option, "--symlink") == 0) {
        if (symlink(s->source, to) != 0)
            fail("link", s->path);
        return;
    }
    if (stat(s->source, &st) != 0)
        fail("find", s->source);
    if (S_ISDIR(st.st_mode))
        mkdir(to, 0755);
    else
        close(open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (mount(s->source, to, NULL, MS_BIND | MS_REC, NULL) != 0)
        fail("mount", s->path);
}

/* Everything at and below the path; <linux/mount.h> does not go together with <sys/mount.h>. */
static int set_read_only(const char *path)
{
    enum { READ_ONLY = 1, NO_SETUID = 2, RECURSIVE = 0x8000, MOUNT_SETATTR = 442 };
    const struct {
        uint64_t set, clear, propagation, user;
    } to = {.set = READ_ONLY | NO_SETUID};
    return (int)syscall(MOUNT_SETATTR, AT_FDCWD, path, RECURSIVE, &to, sizeof to);
}

static void enter_view(const struct box *b)
{
    static struct view v;
    view_make(&v, b);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", NEW_ROOT, "tmpfs", MS_NOSUID, "mode=755,size=1m") != 0)
        fail("mount", "a new root");
    for (size_t i = 0; i < v.count; i++)
        place(&v.seen[i]);
    if (set_read_only(NEW_ROOT) != 0)
        fail("mount", "read-only");
    const struct seen *last = &v.seen[v.count - 1];
    if (strcmp(last->option, "--bind") == 0)
        place(last); /* once more, on top of the other */
    if (chdir(NEW_ROOT) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", MNT_DETACH) != 0)
        fail("change", "the root");
}

/* ---- level 1: bubblewrap does the same ---- */

static _Noreturn void start_bwrap(char *const argv[], char *const environment[],
                                  const struct box *b)
{
    static struct view v;
    char *args[16 + 3 * MOST_SEEN + 16] = {"bwrap", "--unshare-all", "--die-with-parent",
                                           "--new-session"};
    size_t n = 4;
    view_make(&v, b);
    for (size_t i = 0; i < v.count; i++) {
        args[n++] = (char *)(uintptr_t)v.seen[i].option;
        args[n++] = (char *)(uintptr_t)v.seen[i].source;
        args[n++] = (char *)(uintptr_t)v.seen[i].path;
    }
    args[n++] = "--remount-ro";
    args[n++] = "/";
    args[n++] = "--chdir";
    args[n++] = (char *)(uintptr_t)b->folder;
    struct sock_filter filter[FILTER_STATEMENTS];
    const size_t statements = b->shared ? 0 : filter_make(filter, true);
    if (statements > 0) {
        const int fd = memfd_create("filter", 0);
        const ssize_t bytes = (ssize_t)(statements * sizeof *filter);
        if (fd < 0 || dup2(fd, FILTER_FD) < 0 || write(fd, filter, (size_t)bytes) != bytes ||
            lseek(fd, 0, SEEK_SET) != 0)
            fail("write", "the filter");
        if (fd != FILTER_FD)
            close(fd);
        args[n++] = "--seccomp";
        args[n++] = "5"; /* FILTER_FD */
    }
    args[n++] = "--";
    for (size_t i = 0; argv[i] && i < 8; i++)
        args[n++] = argv[i];
    execvpe("bwrap", args, environment);
    fail("start", "bwrap");
}

/* ---- the new process ---- */

static void limit(int what, rlim_t most)
{
    setrlimit(what, &(struct rlimit){most, most});
}

/* Files 0 to 4 are the given ones, or for 0 to 2 nothing at all (/dev/null). All others are
 * closed. */
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

static void become_user(unsigned user)
{
    if (user && (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0))
        fail("become", "another user");
}

static void enter_limits(const struct box *b)
{
    const rlim_t cpu = b->cpu_seconds ? b->cpu_seconds : (rlim_t)b->seconds + 1;
    setrlimit(RLIMIT_CPU, &(struct rlimit){cpu, cpu + 1});
    limit(RLIMIT_FSIZE, b->file_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, MOST_FILES);
    if (b->memory_bytes > 0)
        limit(RLIMIT_AS, b->memory_bytes);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* a change of user forgets it */
    umask(077);
}

static _Noreturn void start_program(char *const argv[], char *const environment[],
                                    const struct box *b)
{
    enter_limits(b);
    if (chdir(b->folder) != 0)
        fail("enter", b->folder);
    if (!b->shared)
        filter_set(true); /* without one child.c says so */
    execvpe(argv[0], argv, environment);
    fail("start", argv[0]);
}

/* Process 1 of a namespace: when it ends, the system ends all others in it. */
static _Noreturn void be_first(char *const argv[], char *const environment[], const struct box *b)
{
    int status = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    const pid_t child = fork();
    if (child == 0)
        start_program(argv, environment, b);
    if (child < 0)
        fail("start", "a process");
    while (waitpid(-1, &status, 0) != child)
        ;
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)); /* as bwrap */
}

static pid_t start(char *const argv[], char *const environment[], const struct box *b)
{
    const uid_t user = getuid();
    const gid_t group = getgid();
    const int spaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                       (geteuid() != 0 ? CLONE_NEWUSER : 0);
    const bool by_hand = b->level == SANDBOX_NAMESPACES;
    const pid_t child = by_hand ? (pid_t)syscall(SYS_clone, spaces | SIGCHLD, 0, 0, 0, 0) : fork();
    if (child != 0)
        return child;
    sigprocmask(SIG_SETMASK, &(sigset_t){0}, NULL);
    arrange_files(b->files);
    if (by_hand) {
        if (user != 0)
            map_user(user, group);
        enter_view(b);
    }
    become_user(b->user);
    if (by_hand)
        be_first(argv, environment, b);
    if (b->level == SANDBOX_LIMITS)
        start_program(argv, environment, b);
    enter_limits(b);
    start_bwrap(argv, environment, b);
}

/* ---- its keeper: a process that outlives a killed grader, and ends all that is left ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Orphans of the program are ours, whatever group or session they are in. */
static void kill_children(void)
{
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all && (entry = readdir(all));) {
        char path[sizeof entry->d_name + 16], text[512] = "";
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t bytes = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
        if (fd >= 0)
            close(fd);
        const char *name_end = bytes > 0 ? strrchr(text, ')') : NULL; /* 12 (name) S PARENT */
        if (name_end && strlen(name_end) > 4 && atoi(name_end + 4) == getpid())
            kill(atoi(entry->d_name), SIGKILL);
    }
    if (all)
        closedir(all);
}

static _Noreturn void keep(char *const argv[], char *const environment[], const struct box *b,
                           int report, pid_t grader)
{
    struct ended e = {.status = SANDBOX_FAILED << 8};
    sigset_t wanted;
    bool running = true;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    signal(SIGCHLD, SIG_DFL);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    const pid_t child = getppid() == grader ? start(argv, environment, b) : -1;
    if (child < 0 && b->files[STDERR_FILENO] >= 0)
        dprintf(b->files[STDERR_FILENO], "sandbox: a process of its own: %s\n", strerror(errno));
    const double end = now() + b->seconds;
    while (child > 0 && running && !e.timeout) {
        int status;
        pid_t ended;
        while (running && (ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == child) {
                e.status = status;
                running = false;
            }
        const double left = end - now();
        e.timeout = running && left <= 0;
        const struct timespec wait = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        if (running && !e.timeout && sigtimedwait(&wanted, NULL, &wait) == SIGTERM)
            break; /* the grader is gone */
    }
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR;)
        if (gone == 0) {
            kill_children();
            sigtimedwait(&wanted, NULL, &(struct timespec){.tv_nsec = 2000000});
        }
    if (WIFEXITED(e.status) && WEXITSTATUS(e.status) > 128)
        e.status = WEXITSTATUS(e.status) - 128; /* a signal */
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
    while (keeper > 0 && read(report[0], &e, sizeof e) < 0 && errno == EINTR)
        ;
    close(report[0]);
    while (keeper > 0 && waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
        ;
    return e;
}

/* ---- a folder that goes when its process goes ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

/* The cleaner waits for the end of a pipe, whose other end the grader and its keepers hold. */
bool folder_make(struct folder *f, const char *where)
{
    enum { FIRST_USER = 1 << 22 }; /* above every number of a process */
    int ends[2];
    const int n = snprintf(f->path, sizeof f->path, "%s/grade.XXXXXX", where);
    if (n >= (int)sizeof f->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    f->user = geteuid() == 0 ? FIRST_USER + (unsigned)getpid() : 0;
    if (!mkdtemp(f->path) || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    f->held = ends[1];
    f->cleaner = fork();
    if (f->cleaner == 0) {
        char none;
        setsid();
        signal(SIGTERM, SIG_IGN);
        for (int fd = 0; fd < MOST_FILES; fd++)
            if (fd != ends[0])
                close(fd);
        while (read(ends[0], &none, 1) < 0 && errno == EINTR)
            ;
        nftw(f->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        _exit(0);
    }
    close(ends[0]);
    return f->cleaner > 0;
}

void folder_give(const struct folder *f)
{
    if (f->user && chown(f->path, f->user, f->user) != 0)
        perror("grade: chown"); /* the program will fail by itself */
}

void folder_end(struct folder *f)
{
    close(f->held);
    while (waitpid(f->cleaner, NULL, 0) < 0 && errno == EINTR)
        ;
}
