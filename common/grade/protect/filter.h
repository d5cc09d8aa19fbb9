/* SPDX-License-Identifier: MIT */
/*
 * filter.h - which system calls a submission's program may make. The operating system checks each
 * call by a small program of its own kind, and refuses with EPERM.
 *
 * Before exec the program that starts it sets the filter for a start: nothing but execve, reading
 * files, memory, and writing to stdout, stderr and REPLY_FD. child.c sets the narrow filter before
 * it calls solve: it opens, reads and starts nothing more.
 */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>
#include <stddef.h>

struct sock_filter;
enum { FILTER_STATEMENTS = 512 };

/* Its statements, and how many they are: 0 where this system has no filter. */
size_t filter_make(struct sock_filter *to, bool start);

/* This process has it from now on, and what it executes. */
bool filter_set(bool start);

#endif
