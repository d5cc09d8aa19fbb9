/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "processes.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 64, MOST_PROCESSES = 1 << 15 };

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

void processes_kill(void)
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

bool processes_busy(pid_t ancestor)
{
    const size_t count = list_processes();
    for (size_t i = 0; i < count; i++)
        if (strchr("RD", processes[i].state) && comes_from(processes[i].id, ancestor, count))
            return true;
    return false;
}

void files_arrange(const int *files, int n)
{
    int high[MOST_FILES];
    const int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < n; i++) {
        const int fd = files[i] < 0 && i < 3 ? nothing : files[i];
        high[i] = fd < 0 ? -1 : fcntl(fd, F_DUPFD, MOST_FILES);
    }
    for (int fd = 0; fd < MOST_FILES; fd++)
        close(fd);
    for (int i = 0; i < n; i++)
        if (high[i] >= 0) {
            dup2(high[i], i);
            close(high[i]);
        }
}
