/* SPDX-License-Identifier: MIT */
/*
 * enter.c - the first process of a sandbox: starts one program after another, as the grader asks,
 * and ends what each of them leaves.
 *
 *   enter FOLDER alone|shared
 *
 * CONTROL_FD is the grader's socket, and sandbox.h has the messages. `alone`: it sees no processes
 * but those of the sandbox.
 *
 * Each program is a new process with its own limits. That of a submission also gets the filter of
 * filter.c, so it can reach neither this process nor the next one. It is linked statically, because
 * a sandbox may have no libraries.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processes.h"
#include "sandbox.h"

enum { MOST_FILES = 64, MOST_ARGUMENTS = 64 };

static bool alone;

static void limit(int what, unsigned long long most)
{
    setrlimit(what, &(struct rlimit){most, most});
}

static void set_limits(const struct request *r)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){r->seconds, r->seconds + 1});
    limit(RLIMIT_FSIZE, r->file_bytes);
    limit(RLIMIT_NOFILE, MOST_FILES);
    if (r->memory_bytes > 0)
        limit(RLIMIT_AS, r->memory_bytes);
}

static _Noreturn void become(struct request *r, const int files[SANDBOX_FILES])
{
    char *argv[MOST_ARGUMENTS] = {NULL};
    size_t n = 0;
    for (char *p = r->arguments; *p && n + 1 < MOST_ARGUMENTS; p += strlen(p) + 1)
        argv[n++] = p;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    files_arrange(files, SANDBOX_FILES);
    set_limits(r);
    if (r->filtered)
        filter_set(true); /* without one child.c says so */
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "sandbox: start %s: %s\n", argv[0], strerror(errno));
    _exit(SANDBOX_FAILED);
}

/* Orphans are our children. */
static void end_what_is_left(void)
{
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR;) {
        if (gone == 0 && alone)
            kill(-1, SIGKILL);
        else if (gone == 0)
            processes_kill();
        if (gone == 0)
            usleep(1000);
    }
}

/* Returns the program's status. */
static int run(struct request *r, const int files[SANDBOX_FILES])
{
    int status = SANDBOX_FAILED << 8;
    const pid_t child = fork();
    if (child == 0)
        become(r, files);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    end_what_is_left();
    return status;
}

/* Receives a request with its files. False: the grader has ended. */
static bool receive(struct request *r, int files[SANDBOX_FILES])
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * SANDBOX_FILES)];
        struct cmsghdr alignment;
    } space;
    struct iovec part = {r, sizeof *r - 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space.bytes,
                             .msg_controllen = sizeof space.bytes};
    memset(r, 0, sizeof *r);
    if (recvmsg(CONTROL_FD, &message, MSG_CMSG_CLOEXEC) <= 0)
        return false;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    const int *given = head ? (const int *)(const void *)CMSG_DATA(head) : NULL;
    for (int i = 0; i < SANDBOX_FILES; i++)
        files[i] = given && r->has[i] ? *given++ : -1;
    return true;
}

int main(int argc, char **argv)
{
    static struct request r;
    int files[SANDBOX_FILES];
    if (argc != 3 || chdir(argv[1]) != 0) {
        fprintf(stderr, "sandbox: enter %s: %s\n", argc == 3 ? argv[1] : "", strerror(errno));
        return SANDBOX_FAILED + 1;
    }
    alone = strcmp(argv[2], "alone") == 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    umask(077);
    send(CONTROL_FD, "", 1, MSG_NOSIGNAL);
    while (receive(&r, files)) {
        const int status = run(&r, files);
        for (int i = 0; i < SANDBOX_FILES; i++)
            if (files[i] >= 0)
                close(files[i]);
        send(CONTROL_FD, &status, sizeof status, MSG_NOSIGNAL);
    }
    return 0;
}
