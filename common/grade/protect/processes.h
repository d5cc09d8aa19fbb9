/* SPDX-License-Identifier: MIT */
/*
 * processes.h - other processes, as /proc shows them, and open files: for sandbox.c and enter.c.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether a process that comes from this one, but not this one itself, waits for a processor or a
 * disk. */
bool processes_busy(pid_t ancestor);

/* SIGKILL for all children. Orphans become the children of a process that wants them, whatever
 * group or session they are in. */
void processes_kill(void);

/* Files 0 to n-1 are the given ones, or /dev/null for 0 to 2. All others are closed. */
void files_arrange(const int *files, int n);

#endif
