/* SPDX-License-Identifier: MIT */
/*
 * filter.h - which system calls a submission's program may make. The operating system checks each
 * call by a small program of its own kind, and refuses with EPERM.
 *
 * enter.c sets the filter for a start before exec: nothing but execve, reading files, memory, and
 * writing to stdout, stderr and REPLY_FD. child.c sets the narrow filter before it calls solve: it
 * opens, reads and starts nothing more.
 */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>

/* This process has it from now on, and what it executes. False: this system has no filter. */
bool filter_set(bool start);

#endif
