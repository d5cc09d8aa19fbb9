/* SPDX-License-Identifier: MIT */
/*
 * lists.h - what a submission may say, include and call: every list of the checks in one place. A
 * name that ends with `*` stands for all names that begin like it; NULL ends a list.
 */
#ifndef LISTS_H
#define LISTS_H

#include <stdbool.h>
#include <stddef.h>

bool is_listed(const char *name, size_t length, const char *const *list);

/* Headers that it may include: of the course, as paths in it, and of the system. */
extern const char *const course_headers[], *const system_folders[];

/* Words of its text. Of those with __builtin_ in front, accepted_builtins alone may stand there. */
extern const char *const refused_words[], *const accepted_builtins[];

/* Names of attributes, and what may follow #pragma. */
extern const char *const accepted_attributes[], *const accepted_pragmas[];

/* What it may call: hooks, the emulator's device functions, mathematics, and those calls of CUDA
 * that read or queue. A copy to the host is not among them. */
extern const char *const accepted_calls[];

#endif
