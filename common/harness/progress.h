/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one line on stderr that overwrites itself, where stderr is a terminal.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stddef.h>

/* Show "type op: done of all". Prints nothing where stderr is not a terminal. */
void progress_show(const char *type, const char *op, size_t done, size_t all);

/* Take the line away. */
void progress_clear(void);

#endif
