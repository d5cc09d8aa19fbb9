/* SPDX-License-Identifier: MIT */
/*
 * sizes.h - the sizes of a small run of an exercise, for once.c and confined.c.
 */
#ifndef SIZES_H
#define SIZES_H

#include <stdio.h>

#include "grade/tasks/tasks.h"

/* Those that fit one block, or a few, and fill warps. */
void sizes_usual(const struct task *task, size_t size[TASK_SIZES]);

/* "32x33", a number for each size; else the program ends with 2. */
void sizes_read(const struct task *task, const char *text, size_t size[TASK_SIZES]);

/* "rows 32, cols 33" */
void sizes_print(FILE *out, const struct task *task, const size_t size[TASK_SIZES]);

#endif
