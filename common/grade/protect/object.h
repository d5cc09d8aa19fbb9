/* SPDX-License-Identifier: MIT */
/*
 * object.h - looks into the object file of a submission before it is linked.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Is this object file one that may run? It must define `solve`, call nothing but what listed.c has,
 * and keep nothing from one call to the next. Otherwise `why` says what was found and what is
 * accepted, with its line in `text`, which is that of the file `name`.
 */
bool object_accept(const char *path, const char *text, const char *name, char *why, size_t bytes);

#endif
