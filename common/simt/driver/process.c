/* SPDX-License-Identifier: MIT */
/* process.c - processes and files. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inside.h"

/* ---- temporary files ---- */

static char *folder;
static struct list temporary;
static pid_t owner; /* a child leaves the files alone */
static volatile sig_atomic_t stopped;

static void end(void)
{
    if (folder && getpid() == owner) {
        for (size_t i = 0; i < temporary.count; i++)
            unlink(temporary.words[i]);
        rmdir(folder);
    }
}

static void stop(int number)
{
    stopped = number;
}

char *process_path(const char *name)
{
    if (!folder) {
        folder = text("%s/simtcc.XXXXXX", setting("TMPDIR", "/tmp"));
        if (!mkdtemp(folder))
            die("cannot make a folder %s: %s", folder, strerror(errno));
        owner = getpid();
        atexit(end);
        const struct sigaction action = {.sa_handler = stop};
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGHUP, &action, NULL);
    }
    char *path = text("%s/%s", folder, name);
    ADD(&temporary, path);
    return path;
}

/* ---- files ---- */

/* All of it, and a byte 0. */
static char *read_all(FILE *file)
{
    char *all = NULL, part[4096];
    size_t length, bytes;
    FILE *copy = open_memstream(&all, &length);
    while (copy && (bytes = fread(part, 1, sizeof part, file)) > 0)
        fwrite(part, 1, bytes, copy);
    fclose(file);
    if (!copy || fclose(copy) != 0)
        die("out of memory");
    return all;
}

char *file_read(const char *path)
{
    FILE *file = fopen(path, "r");
    return file ? read_all(file) : NULL;
}

void file_write(const char *path, const char *all)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(all, file) < 0 || fclose(file) != 0)
        die("cannot write %s: %s", path, strerror(errno));
}

/* ---- processes ---- */

bool process_dry;

const char *process_messages(void)
{
    return file_read(process_path("messages"));
}

/* A limit of processor time holds for all processes together. */
static void limit_time(const struct rusage *used)
{
    struct rlimit limit;
    const rlim_t seconds = (rlim_t)(used->ru_utime.tv_sec + used->ru_stime.tv_sec);
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    limit.rlim_cur = limit.rlim_cur > seconds ? limit.rlim_cur - seconds : 1;
    limit.rlim_max = limit.rlim_cur + 1;
    setrlimit(RLIMIT_CPU, &limit);
}

int process_apart(int (*function)(const void *), const void *what, const char **out)
{
    int pipes[2];
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    const char *messages = process_path("messages");
    fflush(NULL);
    if (out && pipe(pipes) != 0)
        die("no pipe: %s", strerror(errno));
    const pid_t child = stopped ? -1 : fork();
    if (child == 0) {
        limit_time(&used);
        dup2(open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
        if (out)
            dup2(pipes[1], 1);
        exit(function(what));
    }
    if (out) {
        close(pipes[1]);
        *out = read_all(fdopen(pipes[0], "r"));
    }
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        kill(child, SIGTERM);
    if (stopped)
        exit(128 + stopped);
    return status == 0 ? 0 : 1;
}

static int execute(const void *command)
{
    const char **words = ((const struct list *)command)->words;
    execvp(words[0], (char **)words);
    die("cannot run %s: %s", words[0], strerror(errno));
}

int process_run(const struct list *command, const char **out)
{
    if (process_dry) {
        fprintf(stderr, "#$ %s\n", list_text(command, " "));
        if (out)
            *out = "";
        return 0;
    }
    return process_apart(execute, command, out);
}
