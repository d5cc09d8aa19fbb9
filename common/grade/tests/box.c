/* SPDX-License-Identifier: MIT */
/*
 * box.c - runs shell scripts in a sandbox, one after the other, for sandbox.sh.
 *
 *   box LEVEL [OPTION | SCRIPT]...   bwrap, namespaces or limits; 77: this system does not have it
 *       -t SECONDS  -b BYTES         limits of what follows
 *       -w                           files 1 and 4 of the next script are the stdout of box
 *       -x SCRIPT                    this one runs outside
 *       -p                           runs ./program, in the sandbox for a submission's program
 *       -o                           opens the sandbox again
 *   box --connect PORT               0: it is connected
 *   box --filter start|solve         how many calls are allowed that should not; 100: no filter
 *   box --orphans                    0: a process can become the parent of orphans
 *
 * stderr has how each has ended: `0`, 128 and the number of its signal, or `timeout`. The scripts
 * know N, and FOLDER, where they run; BOX, this program; OUTSIDE, its process; PORT, where it
 * listens. If root calls it, they have a user of their own, unless SAME_USER is set.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade/protect/sandbox.h"
#include "simt/driver/inside.h"

enum { NOT_THERE = 77, NO_FILTER = 100, USAGE = 2 };

static struct box box = {.level = SANDBOX_LIMITS};
static struct list environment;

static void set(const char *name, const char *value)
{
    setenv(name, value, 1);
    ADD(&environment, text("%s=%s", name, value));
}

static const char *open_box(struct sandbox *s, const char *shared)
{
    box.shared = shared;
    return sandbox_open(s, &box, (char *const *)(uintptr_t)environment.words);
}

static void show_status(const struct ended *e)
{
    static const char *between = "";
    fprintf(stderr, "%s%s", between,
            e->timeout               ? "timeout"
            : WIFSIGNALED(e->status) ? text("%d", 128 + WTERMSIG(e->status))
                                     : text("%d", WEXITSTATUS(e->status)));
    between = " ";
}

/* ---- network ---- */

static struct sockaddr_in address_of(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static int listens(void)
{
    struct sockaddr_in at = address_of(0);
    socklen_t bytes = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 4) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &bytes) != 0)
        return 0;
    return ntohs(at.sin_port);
}

static int connects(int port)
{
    const struct sockaddr_in at = address_of(port);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at) == 0 ? 0 : 1;
}

/* ---- the filter ---- */

static int refused(long result)
{
    return result < 0 && (errno == EPERM || errno == EAGAIN) ? 0 : 1;
}

/* The number of calls that were allowed. */
static int try_everything(bool start)
{
    pid_t parent = getppid(); /* refused as well, but its result is useless */
    int through = 0;
    through += refused(fork());
    through += refused(open("/tmp/grade_forged", O_WRONLY | O_CREAT, 0600));
    through += refused(socket(AF_INET, SOCK_STREAM, 0));
    through += refused(kill(parent, 0));
    through += refused(setsid());
    through += refused(ptrace(PTRACE_TRACEME, 0, 0, 0));
    through += refused(unlink("/tmp/grade_forged"));
    through += refused(write(9, "x", 1));
    through += refused(mprotect((void *)((size_t)try_everything & ~(size_t)4095), 4096,
                                PROT_READ | PROT_WRITE | PROT_EXEC));
    through += mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0) != MAP_FAILED;
    if (start)
        return through;
    through += refused(open("/etc/passwd", O_RDONLY));
    through += refused(read(STDIN_FILENO, &parent, 0));
    through += refused(execl("/bin/true", "true", (char *)NULL));
    return through;
}

static int filter(bool start)
{
    _exit(filter_set(start) ? try_everything(start) : NO_FILTER);
}

/* ---- scripts ---- */

static void run_all(struct sandbox *tools, const char *shared, char **argv)
{
    struct limits limits = {.seconds = 10, .file_bytes = 1 << 20, .files = {-1, -1, -1, -1, -1}};
    for (; *argv; argv++) {
        struct ended e = {.timeout = false};
        struct sandbox program;
        const char option = **argv == '-' ? (*argv)[1] : '\0';
        if (option == 't')
            limits.seconds = atof(*++argv);
        if (option == 'b')
            limits.file_bytes = (size_t)atol(*++argv);
        if (option == 'w')
            limits.files[1] = limits.files[4] = STDOUT_FILENO;
        if (option == 'o') {
            sandbox_close(tools);
            if (open_box(tools, shared))
                exit(1);
        }
        if (option == 'x')
            e.status = system(*++argv);
        if (option == 'p') {
            if (open_box(&program, NULL))
                exit(1);
            e = sandbox_run(&program, (char *[]){"./program", NULL}, &limits);
            sandbox_close(&program);
        }
        if (!option) {
            e = sandbox_run(tools, (char *[]){"sh", "-c", *argv, NULL}, &limits);
            limits.files[1] = limits.files[4] = -1;
        }
        if (!option || strchr("xp", option))
            show_status(&e);
    }
}

int main(int argc, char **argv)
{
    static struct folder folder;
    struct sandbox tools;
    const char *const first = argc > 1 ? argv[1] : "", *const self = realpath(argv[0], NULL);
    if (strcmp(first, "--connect") == 0)
        return connects(atoi(argv[2]));
    if (strcmp(first, "--filter") == 0)
        return filter(strcmp(argv[2], "start") == 0);
    if (strcmp(first, "--orphans") == 0)
        return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0;
    while (box.level < SANDBOX_LEVELS && strcmp(first, sandbox_names[box.level]) != 0)
        box.level++;
    if (box.level == SANDBOX_LEVELS || !self ||
        !folder_make(&folder, "/tmp", geteuid() == 0 && !getenv("SAME_USER")))
        return USAGE;
    signal(SIGINT, SIG_DFL); /* a shell makes its background jobs ignore it */
    const char *here = text("%.*s", (int)(strrchr(self, '/') - self), self);
    set("PATH", "/usr/bin:/bin");
    set("N", setting("N", "0"));
    set("FOLDER", folder.path);
    set("BOX", self);
    set("OUTSIDE", text("%d", (int)getpid()));
    set("PORT", text("%d", listens()));
    box.enter = text("%s/../enter", here);
    box.folder = folder.path;
    box.user = folder.user;
    const char *why = open_box(&tools, here);
    if (why)
        fprintf(stderr, "%s", why);
    else
        run_all(&tools, here, argv + 2);
    sandbox_close(&tools);
    folder_end(&folder);
    return why ? NOT_THERE : 0;
}
