/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "processes.h"
#include "simt/driver/inside.h"

const char *const sandbox_names[SANDBOX_LEVELS] = {"limits", "namespaces", "bwrap"};

enum { CLOCK_TIMES = 4 };

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static _Noreturn void fail(const char *what, const char *which)
{
    dprintf(STDERR_FILENO, "sandbox: %s %s: %s\n", what, which, strerror(errno));
    _exit(SANDBOX_FAILED);
}

/* ---- what it shows ---- */

enum { MOST_SHOWN = 32 };

/* READ, WRITE: the file or folder `source` is seen at `path`. LINK: `path` is a link to it. */
struct shown {
    enum { READ, WRITE, LINK } how;
    char source[PATH_MAX], path[PATH_MAX];
};

static struct shown shown[MOST_SHOWN];
static size_t shown_count;

static void show(int how, const char *source, const char *path)
{
    if (shown_count == MOST_SHOWN)
        fail("show", source);
    struct shown *s = &shown[shown_count++];
    s->how = how;
    snprintf(s->source, sizeof s->source, "%s", source);
    snprintf(s->path, sizeof s->path, "%s", path);
}

/* A path of the system, if it is there: the target of a link is another one. */
static void show_system(const char *path)
{
    char target[PATH_MAX];
    const ssize_t bytes = readlink(path, target, sizeof target - 1);
    target[bytes > 0 ? bytes : 0] = '\0';
    if (bytes > 0)
        show(LINK, target, path);
    else if (access(path, F_OK) == 0)
        show(READ, path, path);
}

static void show_each(const char *paths, const char *separator, bool of_system)
{
    char *all = strdup(paths), *rest = all;
    for (char *path; (path = strsep(&rest, separator)) != NULL;)
        of_system ? show_system(path) : show(READ, path, path);
    free(all);
}

/* No /proc, no /home, no /tmp except the folder. The emulator reads its own program by the name
 * that Linux gives it. */
static void list_shown(const struct box *b)
{
    static const char system[] = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu/store "
                                 "/etc/alternatives /etc/ld.so.cache";
    char program[PATH_MAX];
    shown_count = 0;
    show(READ, b->enter, "/enter");
    if (!b->shared) {
        snprintf(program, sizeof program, "%s/program", b->folder);
        show(READ, b->folder, b->folder);
        show(LINK, program, "/proc/self/exe");
        return;
    }
    show_each(system, " ", true);
    show_each(b->shared, "\n", false);
    show(WRITE, b->folder, b->folder);
    show(WRITE, "/dev/null", "/dev/null");
}

/* ---- bubblewrap ---- */

static _Noreturn void enter_bwrap(char *const command[], char *const environment[])
{
    static const char *const options[] = {"bwrap", "--unshare-all", "--die-with-parent",
                                          "--new-session"};
    static char *all[3 * MOST_SHOWN + 16];
    size_t n = 0;
    for (; n < sizeof options / sizeof *options; n++)
        all[n] = (char *)(uintptr_t)options[n];
    for (struct shown *s = shown; s < shown + shown_count; s++) {
        all[n++] = s->how == LINK                      ? "--symlink"
                   : s->how == READ                    ? "--ro-bind"
                   : strcmp(s->path, "/dev/null") == 0 ? "--dev-bind"
                                                       : "--bind";
        all[n++] = s->source;
        all[n++] = s->path;
    }
    all[n++] = "--remount-ro";
    all[n++] = "/";
    all[n++] = "--";
    for (; *command; command++)
        all[n++] = *command;
    execvpe(all[0], all, environment); /* looks on after a folder that it may not read */
    fail("start", errno == EACCES ? "bwrap, or read all folders of PATH" : all[0]);
}

/* ---- namespaces ---- */

/* The folder on which the new root is mounted: every system has it. */
#define NEW_ROOT "/sys"

/* <linux/mount.h> conflicts with <sys/mount.h>. */
static int set_mount(const char *path, unsigned how, uint64_t set, uint64_t clear)
{
    enum { MOUNT_SETATTR = 442 };
    const struct {
        uint64_t set, clear, propagation, user;
    } to = {.set = set, .clear = clear};
    return (int)syscall(MOUNT_SETATTR, AT_FDCWD, path, how, &to, sizeof to);
}

/* The folders that a path is in, below the new root. */
static void make_folders(const char *path)
{
    char part[PATH_MAX + sizeof NEW_ROOT];
    for (const char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        snprintf(part, sizeof part, NEW_ROOT "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            fail("make", part);
    }
}

static void place(const struct shown *s)
{
    char at[PATH_MAX + sizeof NEW_ROOT];
    struct stat st;
    snprintf(at, sizeof at, NEW_ROOT "%s", s->path);
    make_folders(s->path);
    if (s->how == LINK) {
        if (symlink(s->source, at) != 0)
            fail("link", at);
        return;
    }
    if (stat(s->source, &st) != 0)
        fail("find", s->source);
    if (S_ISDIR(st.st_mode))
        mkdir(at, 0755);
    else
        close(open(at, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (mount(s->source, at, NULL, MS_BIND | MS_REC, NULL) != 0)
        fail("mount", s->source);
}

/* Becomes the new root, in which only what is shown as WRITE can be written. */
static void change_root(void)
{
    enum { READ_ONLY = 1, NO_SETUID = 2, RECURSIVE = 0x8000 };
    if (chdir(NEW_ROOT) != 0 || set_mount(".", RECURSIVE, READ_ONLY | NO_SETUID, 0) != 0)
        fail("protect", NEW_ROOT);
    for (const struct shown *s = shown; s < shown + shown_count; s++)
        if (s->how == WRITE && set_mount(s->path + 1, 0, 0, READ_ONLY) != 0)
            fail("make writable", s->path);
    if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0)
        fail("change the root to", NEW_ROOT);
    for (unsigned long right = 0; prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0;)
        right++; /* what root executes gets none of them */
}

static void write_file(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        fail("write", path);
    close(fd);
}

/* Without root's rights the process gets them in a user namespace of its own. */
static void become_root(uid_t user, gid_t group)
{
    char map[64];
    write_file("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "0 %u 1", (unsigned)user);
    write_file("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "0 %u 1", (unsigned)group);
    write_file("/proc/self/gid_map", map);
}

static void enter_namespaces(bool own_rights, uid_t user, gid_t group)
{
    if (own_rights)
        become_root(user, group);
    umask(022);
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        fail("keep mounts apart from", "/");
    if (mount("tmpfs", NEW_ROOT, "tmpfs", MS_NOSUID, "mode=755,size=1m") != 0)
        fail("mount", NEW_ROOT);
    for (const struct shown *s = shown; s < shown + shown_count; s++)
        place(s);
    change_root();
}

/* ---- its first process ---- */

static void become_user(unsigned user)
{
    if (user && (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0))
        fail("become", "another user");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* a change of user clears it */
    umask(077);
}

/* With namespaces it is process 1: when it ends, the system ends all others. */
static pid_t start(const struct box *b, char *const environment[], const int files[])
{
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const int spaces = b->level != SANDBOX_NAMESPACES
                           ? 0
                           : CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                                 CLONE_NEWUTS | (user == 0 ? 0 : CLONE_NEWUSER);
    const pid_t child =
        spaces ? (pid_t)syscall(SYS_clone, spaces | SIGCHLD, NULL, NULL, NULL, 0) : fork();
    if (child != 0)
        return child;
    char *command[] = {b->level == SANDBOX_LIMITS ? (char *)(uintptr_t)b->enter : "/enter",
                       (char *)(uintptr_t)b->folder,
                       b->level == SANDBOX_LIMITS ? "shared" : "alone", NULL};
    sigprocmask(SIG_SETMASK, &(sigset_t){0}, NULL);
    files_arrange(files, CONTROL_FD + 1);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (b->level != SANDBOX_LIMITS)
        list_shown(b);
    if (spaces) /* needs root's rights until the end */
        enter_namespaces(user != 0, user, group);
    become_user(b->user);
    if (b->level == SANDBOX_BWRAP)
        enter_bwrap(command, environment);
    execve(command[0], command, environment);
    fail("start", command[0]);
}

/* ---- its keeper: a process that outlives a killed grader, and ends all that is left ---- */

/* Waits until the first process ends, or the grader ends or asks for the end. */
static _Noreturn void keep(const struct box *b, char *const environment[], const int files[],
                           pid_t grader)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    signal(SIGCHLD, SIG_DFL);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    const pid_t child = getppid() == grader ? start(b, environment, files) : -1;
    if (child < 0)
        dprintf(files[STDERR_FILENO], "sandbox: start a process: %s\n", strerror(errno));
    close(files[CONTROL_FD]);
    for (bool ended = child < 0; !ended;) {
        for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) > 0;)
            ended |= gone == child;
        ended = ended || sigwaitinfo(&wanted, NULL) == SIGTERM;
    }
    bool waited = false; /* what a sandbox leaves most often ends by itself, before we find it */
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR;)
        if (gone == 0) {
            if (waited)
                processes_kill();
            sigtimedwait(&wanted, NULL, &(struct timespec){.tv_nsec = 2000000});
            waited = true;
        }
    _exit(0);
}

const char *sandbox_open(struct sandbox *s, const struct box *b, char *const environment[])
{
    int ends[2];
    const pid_t grader = getpid();
    const int messages = memfd_create("sandbox", MFD_CLOEXEC);
    char why[1024] = "";
    *s = (struct sandbox){.filtered = !b->shared};
    if (messages < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return text("sandbox: %s", strerror(errno));
    s->control = ends[0];
    s->keeper = fork();
    if (s->keeper == 0) {
        close(ends[0]);
        keep(b, environment, (const int[]){-1, messages, messages, ends[1]}, grader);
    }
    close(ends[1]);
    char ready = 0;
    const bool open = s->keeper > 0 && recv(s->control, &ready, 1, 0) == 1;
    if (!open) {
        sandbox_close(s);
        if (pread(messages, why, sizeof why - 1, 0) < 0)
            why[0] = '\0';
    }
    close(messages);
    return open ? NULL : text("%s", why);
}

void sandbox_close(struct sandbox *s)
{
    if (s->keeper > 0) {
        shutdown(s->control, SHUT_RDWR); /* the first process ends, and so does the keeper */
        waitpid(s->keeper, NULL, 0);
        close(s->control);
    }
    s->keeper = 0;
}

/* ---- one program in it ---- */

static bool send_request(const struct sandbox *s, char *const argv[], const struct limits *l)
{
    static struct request r;
    union {
        char bytes[CMSG_SPACE(sizeof(int) * SANDBOX_FILES)];
        struct cmsghdr alignment;
    } space = {{0}};
    int files[SANDBOX_FILES];
    size_t count = 0, used = 0;
    r = (struct request){.seconds = (unsigned long long)(l->seconds + 0.999),
                         .file_bytes = l->file_bytes,
                         .memory_bytes = l->memory_bytes,
                         .filtered = s->filtered};
    for (int i = 0; i < SANDBOX_FILES; i++)
        if ((r.has[i] = l->files[i] >= 0))
            files[count++] = l->files[i];
    for (; *argv; argv++)
        used += (size_t)snprintf(r.arguments + used, sizeof r.arguments - used, "%s", *argv) + 1;
    struct iovec part = {&r, offsetof(struct request, arguments) + used + 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (used + 1 > sizeof r.arguments)
        return false;
    if (count > 0) {
        message.msg_control = space.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        *head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int) * count),
                                 .cmsg_level = SOL_SOCKET,
                                 .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(head), files, sizeof(int) * count);
    }
    return sendmsg(s->control, &message, MSG_NOSIGNAL) > 0;
}

/* Waits for the answer of enter.c, or for the time limit: then false. The system ends a process
 * that has used up its processor time. A sleeping one uses none: it is ended after CLOCK_TIMES as
 * many seconds of the clock. A program that waits for a busy processor has all the time it needs.
 */
static bool wait_for(const struct sandbox *s, double seconds)
{
    enum { IDLE_TIMES = 4, STEP_MS = 50, MOST_MS = 1000000000 }; /* idle samples before it counts */
    struct pollfd answer = {.fd = s->control, .events = POLLIN};
    const double end = now() + CLOCK_TIMES * seconds;
    for (int idle = 0; idle < IDLE_TIMES;) {
        const double left = (end - now()) * 1e3;
        const int wait = left <= 0 ? STEP_MS : left < MOST_MS ? (int)left + 1 : MOST_MS;
        if (poll(&answer, 1, wait) > 0)
            return true;
        idle = left <= 0 && !processes_busy(s->keeper) ? idle + 1 : 0;
    }
    return false;
}

struct ended sandbox_run(struct sandbox *s, char *const argv[], const struct limits *l)
{
    struct ended e = {.status = SANDBOX_FAILED << 8};
    if (s->keeper == 0 || !send_request(s, argv, l))
        return e;
    e.timeout = !wait_for(s, l->seconds);
    if (e.timeout)
        kill(s->keeper, SIGTERM);
    if (e.timeout || recv(s->control, &e.status, sizeof e.status, 0) != sizeof e.status)
        sandbox_close(s);
    e.timeout |= WIFSIGNALED(e.status) && WTERMSIG(e.status) == SIGXCPU;
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
        char byte;
        setsid();
        signal(SIGTERM, SIG_IGN);
        close(ends[1]);
        files_arrange((const int[]){ends[0], -1, -1}, 3);
        while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
            ;
        if (rmdir(f->path) != 0)
            execlp("rm", "rm", "-rf", f->path, (char *)NULL);
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
